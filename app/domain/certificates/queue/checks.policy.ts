import { type StaffCheck } from "./queue-fields";

/** The state of the checks that an order must pass before its certificate is issued (MAN-03). */
export interface OrderChecks {
  contactAnswer: "authorised" | "refused" | null;
  organisationCheckedAt: string | null;
  csrCheckedAt: string | null;
  /** When the customer proved to own the email address. */
  emailVerifiedAt: string | null;
  /** Whether the authentication contact has stopped all messages. This matters only while there is no answer. */
  isContactStopped?: boolean;
}

export type CheckName = StaffCheck | "email";

/** The titles of the checks that staff record. */
export const CHECK_TITLES: Readonly<Record<StaffCheck, string>> = {
  contact: "Authentication contact",
  organisation: "Organisation document",
  csr: "CSR and company",
};

export interface Check {
  name: CheckName;
  isDone: boolean;
  /** True when the check can never be done any more. */
  isRefused: boolean;
  /** What the order waits for, in words for the customer and for staff. */
  waitsFor: string;
  /** Why the order cannot be approved without this check. */
  missing: string;
}

export const REFUSED = "The authentication contact refused the order.";

const CONTACT = "Authorisation by the authentication contact";

/** Returns the four conditions of an approval, in the order in which they are shown. */
export function checksOf({
  contactAnswer,
  organisationCheckedAt,
  csrCheckedAt,
  emailVerifiedAt,
  isContactStopped = false,
}: OrderChecks): Check[] {
  const isRefused = contactAnswer === "refused";
  const contact = isContactStopped ? `${CONTACT}, who wants no messages from us` : CONTACT;
  const checks: Omit<Check, "isRefused">[] = [
    {
      name: "contact",
      isDone: contactAnswer === "authorised",
      waitsFor: isRefused ? REFUSED : contact,
      missing: isRefused ? REFUSED : "The authentication contact has not authorised the order.",
    },
    {
      name: "organisation",
      isDone: organisationCheckedAt !== null,
      waitsFor: "Check of the organisation",
      missing: "The document that proves the organisation has not been seen.",
    },
    {
      name: "csr",
      isDone: csrCheckedAt !== null,
      waitsFor: "Comparison of the CSR with the company",
      missing: "The CSR has not been compared with the company.",
    },
    {
      name: "email",
      isDone: emailVerifiedAt !== null,
      waitsFor: "Confirmation of the customer's email address",
      missing: "The customer's email address is not verified.",
    },
  ];
  return checks.map((check) => ({ ...check, isRefused: isRefused && check.name === "contact" }));
}

/** Returns what an order still waits for, in words. */
export const waitingFor = (checks: OrderChecks): string[] =>
  checksOf(checks)
    .filter((check) => !check.isDone)
    .map((check) => check.waitsFor);

/** Returns why an order cannot be approved yet. Returns an empty array when it can. */
export const missingForApproval = (checks: OrderChecks): string[] =>
  checksOf(checks)
    .filter((check) => !check.isDone)
    .map((check) => check.missing);

/** Returns the checks that staff record, in the order in which they are shown. */
export const staffChecksOf = (checks: OrderChecks): (Check & { name: StaffCheck })[] =>
  checksOf(checks).filter((check): check is Check & { name: StaffCheck } => check.name !== "email");
