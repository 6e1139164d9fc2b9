"""The programs of `pos-app platform`: its workers, its signers, its accounts and doubts."""
