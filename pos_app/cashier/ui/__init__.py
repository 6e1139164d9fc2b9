"""Theme, widgets, delegates, painters and the on-screen keyboard; no module here knows selling.

A `theme.Theme` never changes: every widget takes one as its first argument, and another theme means
new widgets. `style.set_up_style(application, theme)` is called once. A window has one
`focus.FocusRing` and one `scrolling.FingerScroll`. All words come from the caller and are shown as
plain text.
"""
