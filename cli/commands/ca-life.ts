import { basename } from "node:path";
import { type Command } from "commander";
import { askToType, YES } from "../ask";
import { readLaterMoment } from "../moments";
import { operatorActor, OPERATOR } from "../operator";
import { say, table, timestamp } from "../output";
import { withDatabase } from "../with-database";

interface Flags {
  operator: string;
  yes?: true;
}

interface CrossFlags extends Flags {
  sha256: string;
  issuer?: string;
}

async function request(name: string, file: string, { caption, operator }: Flags & { caption: string }): Promise<void> {
  const { requestAuthority } = await import("~/domain/authorities/request.service.server");
  const { requestStep } = await import("~/domain/authorities/request-step.server");
  const { writeFileAtomically } = await import("~/lib/atomic-file.server");
  const actor = await operatorActor(operator);
  say("Making an RSA key of 4096 bits, which can take a minute");
  const { pem, keySha256, subjectName } = await requestAuthority(name, caption, actor);
  await writeFileAtomically(file, Buffer.from(pem), { mode: 0o644 });
  say(`Wrote the certificate signing request of '${name}' to ${file}`);
  say(`  subject ${subjectName}`);
  say(`  SHA-256 of the public key ${keySha256}`);
  say("Take the file to the ceremony of the root. Put this step into its plan, and check every value:");
  say("");
  for (const line of await requestStep(name, caption.trim(), { file: basename(file), pem })) say(`  ${line}`);
  say("");
  say("The ceremony shows the SHA-256 of the public key: compare it there.");
}

async function install(file: string, { sha256, operator, yes }: Flags & { sha256: string }): Promise<void> {
  const { listInstallNotices } = await import("~/domain/authorities/install-notices.server");
  const { installTransfer } = await import("~/domain/authorities/install.service.server");
  const { publishCrls } = await import("~/domain/authorities/publishing.service.server");
  const { isRootName } = await import("~/domain/authorities/catalogue");
  const { readTransferFile } = await import("~/domain/ceremony/transfer-file.server");
  const { renewResponders } = await import("~/domain/ocsp/responders.service.server");
  const { listRepository } = await import("~/domain/repository/repository.service.server");
  const actor = await operatorActor(operator);
  const transfer = await readTransferFile(file, sha256);
  const notices = await listInstallNotices(transfer);
  for (const notice of notices) say(`Notice: ${notice}`);
  if (notices.length > 0 && !yes) await askToType("install", "This cannot be undone.");
  const { authorities, crossCertificates, lists, revoked, revokedCross, unused } = await installTransfer(
    transfer,
    actor,
  );
  const { certificates } = await listRepository();
  for (const name of authorities) {
    say(`Installed the CA '${name}'`);
    for (const limit of certificates.find((one) => one.name === name)?.limits ?? []) say(`  ${limit}`);
  }
  for (const name of crossCertificates) say(`Installed the cross-certificate '${name}'. The repository publishes it.`);
  for (const { root, number } of lists) say(`Published CRL ${number} of '${root}'`);
  for (const name of revoked) say(`The CA '${name}' is revoked: it issues nothing more.`);
  for (const name of revokedCross) say(`The cross-certificate '${name}' is revoked.`);
  for (const name of unused) say(`'${name}' is not used by the portal. Publish it where it is needed.`);
  for (const name of authorities.filter((one) => !isRootName(one))) {
    await publishCrls(name);
    say(`Published the first CRLs of '${name}'`);
  }
  for (const name of await renewResponders(new Date(), { only: authorities }))
    say(`Made a certificate for the OCSP responder of '${name}'`);
  if (authorities.length + crossCertificates.length + lists.length === 0)
    say("Everything in the file was installed before.");
}

/** Returns in words from when something holds. */
const fromText = (at: Date | undefined): string =>
  at && at > new Date() ? `from ${timestamp(at.toISOString())}` : "from now on";

async function takeOver(name: string, { at, operator, yes }: Flags & { at?: Date }): Promise<void> {
  const service = await import("~/domain/authorities/life.service.server");
  const actor = await operatorActor(operator);
  const when = fromText(at);
  if (!yes) await askToType(name, `'${name}' will issue the certificates of new orders ${when}.`);
  const before = await service.takeOver(name, at ?? new Date(), actor);
  say(`'${name}' issues new certificates ${when}.`);
  if (before) say(`'${before}' then only renews what it has issued, as long as it covers the renewals.`);
}

async function stopRenewals(name: string, { at, operator, yes }: Flags & { at?: Date }): Promise<void> {
  const service = await import("~/domain/authorities/life.service.server");
  const actor = await operatorActor(operator);
  const when = fromText(at);
  const heir = await service.findHeir(name, at ?? new Date());
  const isActive = heir ? ` It issues the certificates of new orders: '${heir}' will do so again in its place.` : "";
  if (!yes) await askToType(name, `'${name}' will issue nothing ${when}. Its CRLs and OCSP answers go on.${isActive}`);
  await service.stopRenewals(name, at ?? new Date(), actor);
  say(`'${name}' issues nothing ${when}.`);
  if (heir) say(`'${heir}' then issues the certificates of new orders again.`);
}

async function installCross(file: string, { sha256, issuer, operator }: CrossFlags): Promise<void> {
  const { installCrossFile } = await import("~/domain/authorities/install.service.server");
  const name = await installCrossFile({ file, issuerFile: issuer, sha256 }, await operatorActor(operator));
  say(
    name === null
      ? "The cross-certificate was installed before."
      : `Installed the cross-certificate '${name}'. The repository publishes it.`,
  );
}

/** Prints the step of a ceremony that makes the root's CRL with this issuing CA or cross-certificate, which only a ceremony can do. */
async function sayRevocation(name: string, reason: string): Promise<void> {
  const { revocationStep } = await import("~/domain/authorities/revocation-step.server");
  const lines = await revocationStep(name, reason);
  say("The CRL of the root must revoke it. Put this step into the plan of a ceremony, and check every value:");
  say("");
  for (const line of lines) say(`  ${line}`);
  say("");
  say("Then bring its transfer file here: ca install FILE --sha256 HEX");
}

async function compromise(name: string, { operator, dryRun, yes }: Partial<Flags> & { dryRun?: true }): Promise<void> {
  const service = await import("~/domain/certificates/revocation/compromise.service.server");
  if (dryRun) {
    const rows: string[][] = [];
    const found = await service.rehearseCompromise(name, ({ id, company, commonName, serialNumber, expiryDate, to }) =>
      rows.push([String(id), company, commonName, serialNumber, timestamp(expiryDate), to ?? "nobody can be reached"]),
    );
    say(`Valid certificates of '${name}': ${rows.length}`);
    if (rows.length > 0) say("Each line is one message 'Please replace your certificate'.");
    if (rows.length > 0) say(table(["ID", "COMPANY", "COMMON NAME", "SERIAL NUMBER", "ENDS", "MESSAGE TO"], rows));
    sayReplacement(found.replacement);
    say("");
    await sayRevocation(found.name, "cACompromise");
    say("This was a rehearsal: nothing was changed.");
    return;
  }
  const actor = await operatorActor(operator ?? "");
  if (!yes)
    await askToType(
      name,
      `'${name}' will never issue again, and the customer of each valid certificate gets a message.`,
    );
  const { name: stopped, hits, replacement } = await service.recordCompromise(name, actor);
  say(`'${name}' issues nothing more. Messages about ${hits} valid certificates are in the queue.`);
  sayReplacement(replacement);
  say("");
  await sayRevocation(stopped, "cACompromise");
}

function sayReplacement(replacement: string | null): void {
  say(
    replacement
      ? `Replacements come from '${replacement}'.`
      : "No other CA issues for new orders: customers cannot replace their certificates until one takes over.",
  );
}

const AT = [
  "--at <time>",
  "when, for example 2027-03-01 or 2027-03-01T06:00:00Z; now without it",
  readLaterMoment,
] as const;

/** Adds the commands by which issuing CAs follow each other. */
export function addLifeCommands(ca: Command): void {
  ca.command("request")
    .argument("<name>", "of the future issuing CA, such as issuing-sha2-2031")
    .argument("<file>", "where to write the certificate signing request, as PEM")
    .description("make the key of another issuing CA and a request for its certificate, which a ceremony signs")
    .requiredOption("--caption <text>", "what people call the CA; part of its subject")
    .requiredOption(...OPERATOR)
    .action((name: string, file: string, flags: Flags & { caption: string }) =>
      withDatabase(() => request(name, file, flags)),
    );
  ca.command("install")
    .argument("<file>", "the transfer file of a ceremony")
    .description("check and install the CAs and the roots' CRLs that a ceremony signed")
    .requiredOption("--sha256 <hex>", "the SHA-256 of the file, as written down at the end of the ceremony")
    .requiredOption(...OPERATOR)
    .option(...YES)
    .action((file: string, flags: Flags & { sha256: string }) => withDatabase(() => install(file, flags)));
  ca.command("install-cross")
    .argument("<file>", "the cross-certificate, PEM or DER")
    .description("check and install a cross-certificate that another CA signed without a ceremony of this portal")
    .requiredOption("--sha256 <hex>", "the SHA-256 of the certificate, as the other CA told it by another way")
    .option("--issuer <file>", "the certificate of the CA that signed it; not needed for a root of the portal")
    .requiredOption(...OPERATOR)
    .action((file: string, flags: CrossFlags) => withDatabase(() => installCross(file, flags)));
  ca.command("take-over")
    .argument("<name>", "of the planned issuing CA")
    .description("let an installed CA issue the certificates of new orders in place of the one before it")
    .option(...AT)
    .requiredOption(...OPERATOR)
    .option(...YES)
    .action((name: string, flags: Flags & { at?: Date }) => withDatabase(() => takeOver(name, flags)));
  ca.command("end-renewals")
    .argument("<name>", "of the issuing CA")
    .description("let a former issuing CA renew nothing more; its CRLs and OCSP answers go on")
    .option(...AT)
    .requiredOption(...OPERATOR)
    .option(...YES)
    .action((name: string, flags: Flags & { at?: Date }) => withDatabase(() => stopRenewals(name, flags)));
  ca.command("revocation-step")
    .argument("<name>", "of the issuing CA or the cross-certificate, as 'ca status' shows it")
    .description("print the step of a ceremony by which the root revokes it, and change nothing")
    .requiredOption("--reason <reason>", "a reason of RFC 5280, such as superseded or cessationOfOperation")
    .action((name: string, { reason }: { reason: string }) => withDatabase(() => sayRevocation(name, reason)));
  ca.command("compromise")
    .argument("<name>", "of the issuing CA")
    .description("record that the key of an issuing CA is compromised: it stops, and its customers are informed")
    .option("--dry-run", "show who is hit, the messages and the lists, and change nothing")
    .option(...OPERATOR)
    .option(...YES)
    .action((name: string, flags: Partial<Flags> & { dryRun?: true }) => withDatabase(() => compromise(name, flags)));
}
