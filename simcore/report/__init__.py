"""A run as one page that needs nothing else: no network, no other file.

`Report` takes from the run folder what there is to show, `charts` draws it, and the template puts it together with the scripts of Vega.
What a table of statistics holds decides which sections there are, so every game's runs have a page, and runs whose table has rows of
characters (grouping ``character``) or of pairs of them (``pair``, key ``A,B``: how A does where B sits at the table) have theirs too.
"""

from simcore.report.page import page, write_page, write_plots

__all__ = ["page", "write_page", "write_plots"]
