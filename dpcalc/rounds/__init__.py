"""What may one round lose, and what do many rounds add up to? Over all datasets, and strategies."""
