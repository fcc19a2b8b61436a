"""Single objects in words: one small pure function per kind, from what was read to what is said.

The verdict on a deployment is made elsewhere, out of all of them; here each object speaks for
itself, in the words that kubectl has for it where there are any. Knows no clock and no cluster.
"""
