/** What a browser's signed cookie says about an account that was logged in there. */
export interface KnownDevice {
  userId: number;
  /** The account's session epoch then: with a new password it is another one. */
  epoch: number;
  /** 128 random bits. */
  id: string;
  /** Milliseconds since 1970. */
  since: number;
}

/** Where a login comes from. */
export interface LoginOrigin {
  /** The caller's network; "" where there is none, as for the command line. */
  network: string;
  /** What a browser brings. A program has no cookies: null, and it is known by its network instead. */
  devices: readonly KnownDevice[] | null;
}
