run modules/no_ending
