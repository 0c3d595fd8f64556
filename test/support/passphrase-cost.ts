/** Hashing passphrases for tests that are not about it: in a two hundredth of the time. */
export const passphraseCost = { memoryCost: 8, timeCost: 1, parallelism: 1 };
