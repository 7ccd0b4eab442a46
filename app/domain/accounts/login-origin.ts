import { type Client } from "~/domain/security-events/client";

/** What a browser's signed cookie says about an account that was logged in there. */
export interface KnownDevice {
  userId: number;
  /** The session epoch of the account at that time. A new password changes it. */
  epoch: number;
  /** 128 random bits. */
  id: string;
  /** The time of the login in milliseconds since 1970. */
  since: number;
}

/** Where a login comes from. */
export interface LoginOrigin {
  /** The caller's network; "" when there is none, as on the command line. */
  network: string;
  /** The known accounts in the browser's cookie. Null for a program, which has no cookies and is recognised by its network instead. */
  devices: readonly KnownDevice[] | null;
  client: Client;
}
