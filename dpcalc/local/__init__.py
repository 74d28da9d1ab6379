"""The notes' local bound: the least q at which outcomes in a window keep their ratio; and the classical bound."""
