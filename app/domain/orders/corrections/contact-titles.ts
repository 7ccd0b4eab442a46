/** What corrections call the contacts of a certificate, by the name of the contact. */
export const CONTACT_TITLES = {
  technical: "Technical contact",
  authentication: "Authentication contact",
} as const;

export type CorrectedContact = keyof typeof CONTACT_TITLES;
