import { type CertificateStatus } from "~db/tables";

/** What an account is called after the erasure. The number of the account is all that is left of it. */
export interface Pseudonym {
  firstName: string;
  lastName: string;
  /** Both names together: `Erased person 123`. */
  name: string;
  username: string;
  /** An address that nobody can have (RFC 2606 §2). */
  email: string;
}

export function pseudonymOf(id: number): Pseudonym {
  const [firstName, lastName] = ["Erased", `person ${id}`];
  const username = `erased-person-${id}`;
  return { firstName, lastName, name: `${firstName} ${lastName}`, username, email: `${username}@erased.invalid` };
}

const IN_FORCE: readonly CertificateStatus[] = ["Issued", "Downloaded", "RequestRevoke"];

/** Returns whether a certificate can be relied on now. */
export const isInForce = (
  { status, expiryDate }: { status: CertificateStatus; expiryDate: string | null },
  now: Date,
): boolean => IN_FORCE.includes(status) && (expiryDate === null || expiryDate > now.toISOString());

/** What staff and the person read on pages and in mails while the address of an account is not confirmed. */
export const UNCONFIRMED_ERASURE =
  "The email address of this account is not confirmed, so it may belong to somebody else. Unless it is confirmed first, an erasure leaves everything that is found only by the address: contacts in orders and ID codes of others, invitations, and messages.";
export const UNCONFIRMED_EXPORT =
  "The email address of this account is not confirmed, so it may belong to somebody else. Until it is confirmed, this leaves out everything that is found only by the address: contacts in orders and ID codes of others, invitations, and messages.";

/** What a company of one person still has that somebody must answer for. */
export interface Holdings {
  certificatesInForce: number;
  pendingCertificates: number;
  registeredCodes: number;
  unpaidOrders: number;
}

/** A company of the person. */
export interface HeldCompany {
  name: string;
  /** Whether there are other members, and one of them is an owner who can log in. */
  hasOthers: boolean;
  hasOtherOwner: boolean;
  isOwner: boolean;
  holdings: Holdings;
}

/** What decides whether the data of a person can be erased. */
export interface ErasureCircumstances {
  isErased: boolean;
  isMerged: boolean;
  /** The names of the person's rights of staff. */
  staffRights: readonly string[];
  /** The user names of other open accounts with the same address. */
  twins: readonly string[];
  companies: readonly HeldCompany[];
  /** The numbers of pending orders that name the person as a contact, such as `SO-1001`. */
  contactOf: readonly string[];
}

/** What a company holds, one and several, and what must happen to it. */
const HOLDING_WORDS: Readonly<Record<keyof Holdings, readonly [one: string, several: string, first: string]>> = {
  certificatesInForce: ["certificate in force", "certificates in force", "must be revoked or have ended"],
  pendingCertificates: [
    "pending order of a certificate",
    "pending orders of certificates",
    "must be decided or cancelled",
  ],
  registeredCodes: ["registered ID code", "registered ID codes", "must be cancelled"],
  unpaidOrders: ["sales order that is not paid", "sales orders that are not paid", "must be paid or cancelled"],
};

function holdingText(kind: keyof Holdings, count: number): string {
  const [one, several, first] = HOLDING_WORDS[kind];
  return `${count} ${count === 1 ? one : several}, which ${first}`;
}

function whyNotCompany({ name, hasOthers, hasOtherOwner, isOwner, holdings }: HeldCompany): string[] {
  if (hasOthers)
    return isOwner && !hasOtherOwner
      ? [`${name} has other members and no other owner. Somebody else must become an owner first.`]
      : [];
  const held = (Object.keys(HOLDING_WORDS) as (keyof Holdings)[]).filter((kind) => holdings[kind] > 0);
  if (held.length === 0) return [];
  const words = held.map((kind) => holdingText(kind, holdings[kind]));
  return [
    `${name} has no other member, and still has: ${words.join("; ")}. Another member could also take the company over.`,
  ];
}

/** Returns what must happen before the data can be erased, one sentence each. */
export function whatStopsErasure(circumstances: ErasureCircumstances): string[] {
  const { isErased, isMerged, staffRights, twins, companies, contactOf } = circumstances;
  if (isErased) return ["The data of this account was erased."];
  if (isMerged) return ["The account was merged into another one, with which its data is erased."];
  return [
    ...(staffRights.length > 0
      ? [`The account has rights of staff, which must be withdrawn first: ${staffRights.join(", ")}.`]
      : []),
    ...(twins.length > 0
      ? [`Other open accounts have the same email address and must be merged or disabled first: ${twins.join(", ")}.`]
      : []),
    ...companies.flatMap(whyNotCompany),
    ...(contactOf.length > 0
      ? [
          `These pending orders name the person as a contact and must be decided or cancelled first: ${contactOf.join(", ")}. The contact who was asked for the authorisation can refuse an order by the link in that message; staff then reject it.`,
        ]
      : []),
  ];
}
