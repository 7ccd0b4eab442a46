import { randomBytes } from "node:crypto";
import { getEnv } from "~/lib/env.server";
import { getDb } from "~db/connection.server";
import { hasAdministrator } from "~db/repositories/users.server";
import { makeAccounts, MEMBERS } from "./accounts";
import { makeAutomation } from "./automation";
import { makeCertificates } from "./certificates";
import { makeCodes } from "./codes";
import { COMPANIES, loginOf } from "./companies";

/** Throws an Error when the demo could affect real people or services. */
async function requireTrial(): Promise<void> {
  const { isForRealUse, smtpUrl, vatServiceUrl, hmrc } = getEnv();
  if (isForRealUse) throw new Error("PUBLIC_URL is an https address: the demo is for a trial portal on this machine.");
  if (smtpUrl) throw new Error("SMTP_URL is set: the demo's messages would be sent. Unset it, they go to the outbox.");
  if (vatServiceUrl || hmrc) throw new Error("A VAT service is set: it would refuse the demo's numbers. Unset it.");
  const { count } = await getDb()
    .selectFrom("users")
    .where("isApplicant", "=", true)
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  if (count > 0) throw new Error("There are customers already: the demo is for a fresh trial portal.");
}

/**
 * Throws an Error before the first start has made its administrator. With the administrators of the demo it would make none, and nobody
 * would learn a password.
 */
export async function requireFirstStart(): Promise<void> {
  if (await hasAdministrator(getDb())) return;
  throw new Error(
    "The first start is not finished. Run 'npm start', wait until it shows the administrator, and run this command again.",
  );
}

/** Fills a new trial portal with the services that the pages also use. Reports to `say` what it makes. */
export async function makeDemo(say: (line: string) => void, now = new Date()): Promise<void> {
  await requireTrial();
  const password = randomBytes(12).toString("base64url");
  await makeAccounts(password, now);
  const codes = await makeCodes(now);
  const certificates = await makeCertificates(now, say);
  await makeAutomation(now);
  say(`Made ${COMPANIES.length} companies, ${codes} codes and ${certificates} certificate orders.`);
  say(`Log in as one of these with the password ${password} (shown only once):`);
  for (const company of COMPANIES) say(`  ${loginOf(company)}, ${company.company}`);
  for (const [email, { position }] of Object.entries(MEMBERS)) say(`  ${email}, staff: ${position}`);
}
