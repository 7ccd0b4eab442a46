/** The client of a request, as far as events and audit entries record it. */
export interface Client {
  /** The full address. "" when there is none, as on the command line. */
  address: string;
  userAgent: string;
  /** The path of the request without tokens. */
  path?: string;
  requestId?: string;
}

/** The client of work that no request asked for. */
export const NO_CLIENT: Client = { address: "", userAgent: "" };
