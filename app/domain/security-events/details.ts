import { type PortalError } from "~/lib/errors";

/** What a security event says about a refusal, for an auditor, by the code of the error. Users read the error's own message. */
const DETAILS: Readonly<Record<string, string>> = {
  "account.acting": "Nobody may do this while acting as a user.",
  "account.duty": "The account has something to do first.",
  "account.no-administrator": "The person is no longer a user administrator.",
  "account.right": "The rights of the account do not allow this.",
  "account.staff-password": "Staff do not log in with passwords.",
  "account.second": "The decision of a second user administrator is not possible, or came too late.",
  "account.step-up": "There was no fresh proof of who uses the account.",
  "certificate.own-order": "Somebody else has to check, approve or authorise the order (four-eyes principle).",
  "client.network": "The API client may not be used from this network.",
  "client.person-only": "Only a person may do this, not an API client.",
  "client.scope": "The access token of the API client lacks the scope.",
  "company.changed": "The account no longer works for the company of the access token.",
  "company.role": "The role of the account in the company does not allow this.",
  "form.csrf": "The form was opened before the last login or logout, or not made by this portal.",
  "form.origin": "The form was sent from another site.",
  "rate-limit": "There were too many tries.",
  "token.proxy": "The secret of the authentication proxy was missing or wrong.",
  "token.refused": "The access token is unknown or has ended.",
};

/** Returns what a security event says about a refusal: what the error says for auditors, or else what its code means. */
export const detailOf = ({ detail, code }: PortalError): string =>
  detail ?? DETAILS[code] ?? `Refused with the code ${code}.`;
