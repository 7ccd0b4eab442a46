/** What the codes of failed connections mean, as the predicate of a sentence about the other end. */
export const CONNECTION_FAILURES: Readonly<Partial<Record<string, string>>> = {
  ECONNREFUSED: "accepts no connection",
  ECONNRESET: "broke the connection off",
  EHOSTUNREACH: "cannot be reached",
  ENETUNREACH: "cannot be reached",
};
