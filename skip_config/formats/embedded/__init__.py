"""Text of one language inside a file of another: a shell block in YAML, a fence in Markdown, a recipe of make.

A host finds its inner texts and says where each of their characters stands in the file (`text`); the
format of the inner language proposes edits on them, and `migration` carries these over to the file. The
inner format knows nothing of the host's indentation, escapes and line endings, and the host nothing of
the inner language.
"""
