/** The parameters of argon2id that OWASP recommends: 19 MiB, two passes and one lane. */
const HASHING = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The hash of a random password. */
const DUMMY_HASH = "$argon2id$v=19$m=19456,t=2,p=1$ezDhDUzW4K5Fhdf77Uq2Dg$Uk5EPoJPzOZ17EnF9o0Pk3pCNbYrZlMFfKkzJsjRB8Y";

/** The maximum concurrency: a hash takes a thread and 19 MiB, and more would block the threads that read files. */
const AT_ONCE = 2;

/** Hashes and verifies passwords with limited concurrency. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** Without a hash it takes as long, and returns false. */
  verify(password: string, hash: string | null): Promise<boolean>;
}

export function createPasswords(): Passwords {
  const waiting: (() => void)[] = [];
  let running = 0;

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  }

  return {
    hash: (password) => inTurn(async () => (await import("@node-rs/argon2")).hash(prepared(password), HASHING)),
    verify: (password, hash) =>
      inTurn(async () => {
        const { verify } = await import("@node-rs/argon2");
        const right = await verify(hash ?? DUMMY_HASH, prepared(password));
        return right && hash !== null;
      }),
  };
}

/** Unicode normalization, so that passwords do not depend on the keyboard. */
function prepared(password: string): string {
  return password.normalize("NFKC");
}
