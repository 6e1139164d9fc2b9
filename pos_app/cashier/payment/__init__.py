"""Payment is a panel over the right side of the sale, from the total to the frozen sale."""
