/** The most ACME keys of a standing authorisation that are not revoked. */
export const MOST_ACME_KEYS = 50;

export const LONGEST_KEY_DESCRIPTION = 100;

/** The id of the form. */
export const ACME_KEY_FORM = "acme-key";

export const ACME_KEY_LABELS = { description: "Description" } as const;

/** The secret of a key, which is shown only once. */
export interface ShownAcmeKey {
  /** The key identifier, which clients send as `kid`. */
  keyId: string;
  /** The MAC key as base64url, as clients take it. */
  secret: string;
  /** The address of the directory. */
  directory: string;
}
