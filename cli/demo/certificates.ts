import { type SessionUser } from "~/domain/accounts/session-user";
import { readCertificateFile } from "~/domain/certificates/catalogue/download.service.server";
import { expireCertificates } from "~/domain/certificates/catalogue/expiry.service.server";
import { approveOrder } from "~/domain/certificates/issuing/issuance.service.server";
import { cancelOrder, recordChecks, rejectOrder } from "~/domain/certificates/queue/decisions.service.server";
import { revokeCertificate } from "~/domain/certificates/revocation/revocation.service.server";
import { addDays } from "~/lib/dates";
import { type CertificateRow } from "~db/repositories/certificates.server";
import { actAs, APPROVER, OFFICER } from "./accounts";
import { orderCertificate } from "./certificate-orders";
import { COMPANIES, type DemoCompany, loginOf } from "./companies";
import { payOrder } from "./payments";

type Fate =
  | "pending"
  | "checked"
  | "rejected"
  | "cancelled"
  | "issued"
  | "downloaded"
  | "renewed"
  | "revoked"
  | "to be revoked";

interface Story {
  company: DemoCompany;
  /** First label of the host name. */
  label: string;
  years: number;
  /** How many days ago it was ordered. */
  ago: number;
  fate: Fate;
}

const [bauer, whitmore, roussel, ferrante, keller, dvorak] = COMPANIES as [
  ...[DemoCompany, DemoCompany, DemoCompany, DemoCompany, DemoCompany, DemoCompany],
];

/** Certificates in every status, some that expire soon, and one that has expired. */
const STORIES: readonly Story[] = [
  { company: bauer, label: "oftp2", years: 3, ago: 410, fate: "downloaded" },
  { company: bauer, label: "oftp2-test", years: 1, ago: 345, fate: "downloaded" },
  { company: bauer, label: "edi", years: 2, ago: 2, fate: "checked" },
  { company: whitmore, label: "oftp2", years: 1, ago: 330, fate: "renewed" },
  { company: whitmore, label: "gateway", years: 2, ago: 160, fate: "revoked" },
  { company: whitmore, label: "oftp2-plant2", years: 2, ago: 1, fate: "pending" },
  { company: roussel, label: "oftp2", years: 1, ago: 400, fate: "downloaded" },
  { company: roussel, label: "transfert", years: 2, ago: 20, fate: "issued" },
  { company: ferrante, label: "oftp2", years: 4, ago: 95, fate: "downloaded" },
  { company: ferrante, label: "scambio", years: 1, ago: 60, fate: "rejected" },
  { company: keller, label: "oftp2", years: 2, ago: 240, fate: "to be revoked" },
  { company: keller, label: "oftp2-neu", years: 3, ago: 5, fate: "pending" },
  { company: dvorak, label: "oftp2", years: 1, ago: 290, fate: "downloaded" },
  { company: dvorak, label: "zkouska", years: 1, ago: 33, fate: "cancelled" },
];

const SUPERSEDED = 4;
/** How many days after the order it is paid. */
const PAID_AFTER = 28;
const NOTES = {
  contact: "Called back through the switchboard",
  organisation: "Trade register seen",
  csr: "Agrees with the register",
};

const check = (id: number, staff: SessionUser, now: Date): Promise<void> => recordChecks(id, NOTES, staff, {}, now);

interface People {
  user: SessionUser;
  officer: SessionUser;
  approver: SessionUser;
}

async function issue(row: CertificateRow, { officer, approver }: People, now: Date): Promise<CertificateRow> {
  await check(row.id, officer, now);
  return approveOrder(row.id, approver, now);
}

const download = (row: CertificateRow, { user }: People, now: Date) =>
  readCertificateFile(user, row.id, { certificateType: "own", encoding: "PEM", fileExtension: "CER" }, { now });

const revoke = (row: CertificateRow, { user }: People, date: Date) =>
  revokeCertificate({
    certificateId: row.id,
    user,
    reason: SUPERSEDED,
    description: "The gateway was replaced.",
    date,
  });

/** Carries out what happened to an order after it was placed. */
async function tell(row: CertificateRow, story: Story, people: People, now: Date): Promise<void> {
  const ordered = addDays(now, -story.ago);
  const decided = addDays(ordered, 1);
  if (story.fate === "pending") return;
  if (story.fate === "checked") return check(row.id, people.officer, decided);
  if (story.fate === "rejected")
    return void (await rejectOrder(row.id, "The company is not in the register named.", people.officer, decided));
  if (story.fate === "cancelled") return void (await cancelOrder(row.id, "Ordered twice.", people.user, decided));
  await issue(row, people, decided);
  if (story.fate === "issued") return;
  await download(row, people, addDays(ordered, 2));
  if (story.ago > PAID_AFTER) await payOrder(row.orderId, addDays(ordered, PAID_AFTER));
  if (story.fate === "revoked") await revoke(row, people, addDays(now, -1));
  if (story.fate === "to be revoked") await revoke(row, people, addDays(now, 6));
  if (story.fate !== "renewed") return;
  const asked = { company: story.company, host: row.commonName, ssid: row.ssid ?? "", years: 2, renews: row.id };
  await issue(await orderCertificate(people.user, asked, addDays(now, -8)), people, addDays(now, -7));
}

/** Orders the certificates of the demo and brings them to their statuses. Reports each one to `say`. Returns how many there are. */
export async function makeCertificates(now: Date, say: (line: string) => void): Promise<number> {
  const [officer, approver] = [await actAs(OFFICER), await actAs(APPROVER)];
  for (const [index, story] of STORIES.entries()) {
    const user = await actAs(loginOf(story.company));
    const host = `${story.label}.${story.company.domain}.example`;
    const number = COMPANIES.indexOf(story.company);
    // The main gateway has the OFTP ID of the headquarters' code (codes.ts); the others have IDs of other registers.
    const ssid =
      story.label === "oftp2"
        ? `O0177D${number}M${number}00000000`
        : `O0177DM${String(number).padStart(2, "0")}${String(index).padStart(6, "0")}`;
    const asked = { company: story.company, host, ssid, years: story.years };
    const row = await orderCertificate(user, asked, addDays(now, -story.ago));
    await tell(row, story, { user, officer, approver }, now);
    say(`${host}: ${story.fate}`);
  }
  await expireCertificates(now);
  return STORIES.length;
}
