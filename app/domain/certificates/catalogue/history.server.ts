import { isStaff, maySee } from "~/domain/accounts/rights.policy";
import { type SessionUser } from "~/domain/accounts/session-user";
import { namesPeople } from "~/domain/companies/people.server";
import { paths } from "~/lib/paths";
import { getDb } from "~db/connection.server";
import { countCertificateDeeds, listLatestDeeds } from "~db/repositories/audit-entries.server";
import { type CertificateRow } from "~db/repositories/certificates.server";
import { type OrderRow } from "~db/repositories/orders.server";
import { listSuccessors } from "~db/repositories/renewals.server";
import { whyNotOpen } from "../certificates.policy";
import { FIRST_DOWNLOAD, formIn, LATER_DOWNLOAD } from "./download-record";
import { deedsOf, type KnownDeed, namedDeeds } from "./people.server";

/** One line of the history of a certificate. */
export interface HistoryLine {
  /** An ISO timestamp. */
  at: string;
  text: string;
  /** The page of the certificate of which the line speaks, if it is another one. */
  to: string | null;
}

const DOWNLOADS = [FIRST_DOWNLOAD, LATER_DOWNLOAD];

/** How many downloads the history shows. The others are counted. */
const SHOWN_DOWNLOADS = 10;

/** What the history says of an event where it differs from the caption of the person. */
const WORDS: Readonly<Record<string, string>> = {
  [FIRST_DOWNLOAD]: "Downloaded by",
  "certificate.revocation-requested": "Revocation requested by",
};

interface Line extends KnownDeed {
  /** The form of a downloaded file. */
  form: string | null;
}

/** Returns the downloads and what else people have done, each as a line to which the name is added. */
async function linesOf(row: CertificateRow, order: OrderRow): Promise<{ lines: Line[]; hidden: number }> {
  const latest = await listLatestDeeds(getDb(), row.id, DOWNLOADS, SHOWN_DOWNLOADS);
  const total =
    latest.length < SHOWN_DOWNLOADS ? latest.length : await countCertificateDeeds(getDb(), row.id, DOWNLOADS);
  const downloads = latest.map((deed) => ({ what: "Downloaded by", deed }));
  const isShown = ({ deed }: KnownDeed) => latest.some(({ event, at }) => deed.event === event && deed.at === at);
  const others = (await deedsOf(row, order)).filter((known) => !isShown(known));
  const lines = [...downloads, ...others].map(({ what, deed }) => ({
    what: WORDS[deed.event] ?? what,
    deed,
    form: formIn(deed.message),
  }));
  const isFirstHidden = others.some(({ deed }) => deed.event === FIRST_DOWNLOAD);
  return { lines, hidden: total - latest.length - (isFirstHidden ? 1 : 0) };
}

/** Returns the steps of the order and the end of the certificate. Customers are not told who of staff has recorded a step. */
function stepsOf(user: SessionUser, row: CertificateRow, now: Date): HistoryLine[] {
  const by = (person: string | null) => (isStaff(user) && person !== null ? ` by ${person}` : "");
  const line = (at: string | null, text: string) => (at === null ? [] : [{ at, text, to: null }]);
  const isEnded = row.status === "Rejected" || row.status === "Cancelled";
  const answer = row.contactAnswer === "refused" ? "Refused" : "Authorised";
  const recorded = row.contactAnswerBy === row.authenticationEmail ? "" : by(row.contactAnswerBy);
  const isRevokedByItself = row.status === "Revoked" && row.revokedBy === null;
  const hasExpired = row.status !== "Revoked" && row.expiryDate !== null && row.expiryDate <= now.toISOString();
  return [
    ...(row.contactAnswer === null
      ? []
      : line(row.contactAnsweredAt, `${answer} by the authentication contact${recorded && `, recorded${recorded}`}`)),
    ...line(row.organisationCheckedAt, `Organisation checked${by(row.organisationCheckedBy)}`),
    ...line(row.csrCheckedAt, `CSR checked${by(row.csrCheckedBy)}`),
    ...line(row.issuedAt, "Issued"),
    ...(isEnded ? line(row.decidedAt, row.status) : []),
    ...(isRevokedByItself ? line(row.revocationDate, "Revoked") : []),
    ...(hasExpired ? line(row.expiryDate, "Expired") : []),
  ];
}

/** Returns the renewals and replacements that were ordered, as far as this user may see them. */
async function successorsOf(user: SessionUser, { id }: CertificateRow): Promise<HistoryLine[]> {
  const successors = (await listSuccessors(getDb(), [id])).filter((successor) => maySee(user, successor));
  return successors.map((successor) => ({
    at: successor.requestedAt,
    text: `${successor.orderType === "Renewal" ? "Renewal" : "Replacement"} ordered, certificate ${successor.id}`,
    to: whyNotOpen(successor.status) === null ? paths.certificateDetails(successor.id) : null,
  }));
}

/**
 * Returns what has happened to a certificate and its order, newest first, and how many downloads are left out. Customers learn of staff
 * only that it was staff, and who works alone reads no names, as on the rest of the page.
 */
export async function historyOf(user: SessionUser, row: CertificateRow, order: OrderRow, now: Date) {
  const { lines: known, hidden } = await linesOf(row, order);
  const hasNames = await namesPeople(
    user,
    known.map(({ deed }) => deed),
  );
  const named = await namedDeeds(user, row, known);
  const deeds = named.map(({ what, name, left, at, actingFor }, index) => {
    const acted = actingFor === null ? "" : ` (${actingFor} acted for them)`;
    const text = hasNames ? `${what} ${name}${left}${acted}` : what.replace(/ by$/, "");
    return { at, text: [text, known[index]?.form].filter(Boolean).join(", "), to: null };
  });
  // What happened at the same time, such as the steps of an order by a program, is here in the order of the steps.
  const all: HistoryLine[] = [...deeds, ...stepsOf(user, row, now), ...(await successorsOf(user, row))];
  const lines = all.toReversed().toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at));
  return { lines, hidden };
}

export type CertificateHistory = Awaited<ReturnType<typeof historyOf>>;
