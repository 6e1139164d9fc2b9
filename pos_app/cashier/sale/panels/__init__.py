"""Questions of the sale, each a panel in the place of the picker: nothing covers the cart."""
