"""Theme, widgets, delegates, painters and the on-screen keyboard; nothing of it knows selling.

Make one `theme.Theme` and one `style.Style(application, theme)`, and give the theme to every
widget as its first argument; a window has one `focus.FocusRing` and one `scrolling.FingerScroll`.
All words come from the caller and are shown as plain text.
"""
