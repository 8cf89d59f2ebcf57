//! What bots know about games beyond their rules, one file or folder per game. All of it is optional.

mod gravity;
