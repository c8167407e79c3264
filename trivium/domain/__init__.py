"""The words of Trivium as types: plain Python, standard library only."""
