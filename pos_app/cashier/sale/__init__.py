"""The screen Sale: models without a widget, views that own no fact."""
