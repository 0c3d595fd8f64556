/** Cheap passphrase hashing, 200 times as fast, for tests of other things. */
export const passphraseCost = { memoryCost: 8, timeCost: 1, parallelism: 1 };
