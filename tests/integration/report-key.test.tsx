import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { describeCrl } from "~/ca/crl/describe.server";
import { fromPem, toPem } from "~/ca/pem.server";
import { getSigner } from "~/domain/authorities/signers.server";
import { CHALLENGE_LIFE_DAYS, keyChallenge } from "~/domain/certificates/revocation/key-proof/challenge.server";
import { DAY } from "~/lib/dates";
import { paths } from "~/lib/paths";
import * as page from "~/routes/_public.report-key";
import { getDb } from "~db/connection.server";
import { isKeyBlocked } from "~db/repositories/blocked-keys.server";
import { ApiClient } from "../support/api";
import { changedTables, stateOfTables } from "../support/audited";
import { auditEventsOf, createCertificateOrder, issueCertificate, readCertificate } from "../support/certificates";
import { createStaff } from "../support/factories";
import { proofOf } from "../support/key-proof";
import { type MadeCsr, openssl, useOpenssl } from "../support/openssl";
import { textOf } from "../support/outbox";
import { pageText } from "../support/page";
import { openPage } from "../support/route-page";
import { anonymous, errorsOf, jsonOf, run } from "../support/visitor";
import { lists, useRevoking } from "./revoking";

const { people, makeCsr, verifyWithLists } = useRevoking();
const { file } = useOpenssl();

type Fields = Record<string, string>;

const send = async (fields: Fields) => run(page.action, await (await anonymous()).post(paths.reportKey, fields));

const confirm = (fields: Fields) => send({ ...fields, confirmed: "yes" });

/** Returns the signature of a text with a key as base64, as `openssl dgst` makes it. */
const signatureOf = (keyFile: string, text: string): string => {
  const signature = file("sig");
  openssl(["dgst", "-sha256", "-sign", keyFile, "-out", signature, file("txt", text)]);
  return readFileSync(signature).toString("base64");
};

const publicKeyOf = (keyFile: string) => openssl(["pkey", "-in", keyFile, "-pubout"]);

const mailsTo = (key: string) =>
  getDb().selectFrom("mails").selectAll().where("dedupeKey", "like", `${key}%`).orderBy("id").execute();

/** The reports of this file are about certificates of one key, which the owner has renewed without a new key in an earlier portal. */
async function issueTwice(made: MadeCsr) {
  const first = await issueCertificate({ customer: people.customer, csr: made.der });
  const second = await issueCertificate({ customer: people.customer, csr: made.der });
  return [first, second] as const;
}

describe("a key is reported as compromised by whoever can prove to have it", () => {
  test("[REV-04] asks first, then revokes all certificates of the key on both lists before the answer", async () => {
    const made = makeCsr();
    const [first, second] = await issueTwice(made);
    const other = await issueCertificate({ customer: people.customer, csr: makeCsr().der });
    const fields = { csr: proofOf(made) };

    const { status, html } = await openPage(page, await anonymous(), paths.reportKey, { fields });
    expect(status).toBe(200);
    expect(pageText(html)).toContain("These certificates are revoked");
    expect(pageText(html).match(/valid until/g)).toHaveLength(2);
    expect((await readCertificate(first.id)).status).toBe("Issued");

    const answer = await jsonOf<{ outcome: { revoked: { commonName: string }[]; problem: null } }>(
      await confirm(fields),
    );
    expect(answer.outcome.revoked).toHaveLength(2);
    expect(answer.outcome.problem).toBeNull();
    const { base, delta } = await lists();
    for (const { id, serialNumber, der } of [first, second]) {
      for (const list of [base, delta]) expect(describeCrl(list.der).find(serialNumber)).toMatchObject({ reason: 1 });
      expect(await verifyWithLists(der)).toContain("certificate revoked");
      expect(await readCertificate(id)).toMatchObject({ status: "Revoked", revokedBy: null });
      expect(await auditEventsOf(id)).toContain("certificate.revoked");
      expect(await textOf((await mailsTo(`certificate-revoked:${id}`))[0])).toContain("Somebody proved");
    }
    expect(await verifyWithLists(other.der)).toContain(": OK\n");
    expect(await isKeyBlocked(getDb(), first.keyIdentity)).toBe(true);
    const entry = await getDb()
      .selectFrom("auditEntries")
      .selectAll()
      .where("event", "=", "key.reported")
      .executeTakeFirstOrThrow();
    expect(entry).toMatchObject({ actorId: null, actorName: "holder of the private key" });
    expect(entry.message).toContain(first.keyIdentity);
    const [report] = await mailsTo("key-report:");
    expect(report?.recipient).toBe(people.admin.email);
    expect(await textOf(report)).toContain(`Certificate ${second.id}`);
  });

  test("[REV-04] takes a signature over the challenge, also of a key in a public key file and with the end of a line", async () => {
    const made = makeCsr();
    const { id, keyIdentity, der } = await issueCertificate({ customer: people.customer, csr: made.der });
    const challenge = keyChallenge();
    const signed = { challenge, signature: signatureOf(made.keyFile, `${challenge}\n`) };
    const checked = await send({ ...signed, publicKey: publicKeyOf(made.keyFile) });
    expect(await jsonOf(checked)).toMatchObject({ hits: { certificates: [{ commonName: "oftp.acme.example" }] } });
    await confirm({ ...signed, publicKey: toPem("CERTIFICATE", der) });
    expect((await readCertificate(id)).status).toBe("Revoked");
    expect(await isKeyBlocked(getDb(), keyIdentity)).toBe(true);
  });

  test("[REV-04][PUR-11] a key without a certificate is blocked, and whoever has an open order with it is told", async () => {
    const made = makeCsr();
    const { id, keyIdentity } = await createCertificateOrder(people.stranger, made.der);
    expect(await jsonOf(await confirm({ csr: proofOf(made) }))).toEqual({ outcome: { revoked: [], problem: null } });
    expect(await isKeyBlocked(getDb(), keyIdentity)).toBe(true);
    expect((await readCertificate(id)).status).toBe("Pending");
    expect((await mailsTo(`key-reported:${keyIdentity}`)).map(({ recipient }) => recipient)).toEqual([
      people.stranger.email,
    ]);
    expect(await textOf((await mailsTo("key-report:")).at(-1))).toContain("Open order SO-");
  });

  test("[REV-04] a second report changes nothing", async () => {
    const made = makeCsr();
    await issueCertificate({ customer: people.customer, csr: made.der });
    await confirm({ csr: proofOf(made) });
    const before = await stateOfTables();
    expect(await jsonOf(await confirm({ csr: proofOf(made) }))).toMatchObject({ outcome: { revoked: [] } });
    expect(changedTables(before, await stateOfTables())).toEqual([]);
  });

  test("[REV-04] is a pair of calls, too", async () => {
    const made = makeCsr();
    const { serialNumber } = await issueCertificate({ customer: people.customer, csr: made.der });
    const client = new ApiClient();
    const { content } = await client.get<{ challenge: string }>("certificates/GetKeyChallenge");
    expect(content.challenge).toBe(keyChallenge());
    const answer = await client.post<{ revoked: { serialNumber: string }[] }>("certificates/ReportKey", {
      csr: proofOf(made, content.challenge),
    });
    expect(answer.content.revoked.map((one) => one.serialNumber.replaceAll(":", ""))).toEqual([serialNumber]);
    const refused = await client.post("certificates/ReportKey", { challenge: content.challenge, publicKey: "none" });
    expect([refused.status, Object.keys(refused.errors)]).toEqual([422, ["signature"]]);
  });

  test("[REV-04] the key of a CA is not touched; staff are told, also operators", async () => {
    const operator = await createStaff(["operator"]);
    const { issuer } = await lists();
    const challenge = keyChallenge();
    const signature = await (await getSigner("issuing-sha2")).sign(Buffer.from(challenge));
    const publicKey = toPem("CERTIFICATE", issuer.certificate);
    const answer = await confirm({ challenge, signature: Buffer.from(signature).toString("base64"), publicKey });
    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain("This is the key of the CA");
    const mails = await mailsTo("key-report:");
    const about = mails.filter(({ subject }) => subject === "The private key of the CA 'issuing-sha2' is compromised");
    expect(about.map(({ recipient }) => recipient)).toEqual(
      expect.arrayContaining([people.admin.email, operator.email]),
    );
  });
});

describe("a wrong proof", () => {
  const made = () => makeCsr();
  const challenge = () => keyChallenge();
  const ended = () => keyChallenge(new Date(Date.now() - (CHALLENGE_LIFE_DAYS + 2) * DAY));
  const forged = () => `${challenge().slice(0, -4)}AAAA`;

  /** Returns a CSR with the challenge whose signature was changed. */
  const tampered = () => {
    const der = Buffer.from(fromPem("CERTIFICATE REQUEST", proofOf(made())));
    der.writeUInt8(der.readUInt8(der.length - 1) ^ 1, der.length - 1);
    return toPem("CERTIFICATE REQUEST", der);
  };

  const sha1 = () => openssl(["req", "-new", "-sha1", "-key", made().keyFile, "-subj", `/CN=${challenge()}`]);

  const signed = (text: string, keyFile = made().keyFile) => ({
    challenge: challenge(),
    signature: signatureOf(keyFile, text),
    publicKey: publicKeyOf(keyFile),
  });

  test.each<[string, () => Fields, string, string]>([
    ["nothing", () => ({}), "csr", "Paste a CSR with the challenge"],
    ["a text", () => ({ csr: "hello" }), "csr", "This is not a certificate signing request"],
    ["a CSR of an order", () => ({ csr: made().pem }), "csr", "not a challenge of this portal"],
    ["a forged challenge", () => ({ csr: proofOf(made(), forged()) }), "csr", "not a challenge of this portal"],
    ["a challenge that has ended", () => ({ csr: proofOf(made(), ended()) }), "csr", "has ended"],
    ["a CSR whose signature is wrong", () => ({ csr: tampered() }), "csr", "not signed with its own key"],
    ["a CSR that is signed with SHA-1", () => ({ csr: sha1() }), "csr", "not signed with its own key"],
    ["another text", () => signed(`${challenge()}.`), "signature", "does not fit"],
    [
      "another key",
      () => ({ ...signed(challenge()), publicKey: publicKeyOf(made().keyFile) }),
      "signature",
      "does not fit",
    ],
    ["no base64", () => ({ ...signed(challenge()), signature: "%%" }), "signature", "as base64"],
    ["no key", () => ({ ...signed(challenge()), publicKey: "a key" }), "publicKey", "Paste the certificate"],
    [
      "a key file",
      () => ({ ...signed(challenge()), publicKey: "-----BEGIN PUBLIC KEY-----\nAAAA" }),
      "publicKey",
      "Paste",
    ],
  ])("[REV-04] %s is refused by name, and changes nothing", async (_, fields, field, text) => {
    const typed = fields();
    const before = await stateOfTables();
    const { status, errors, values } = await errorsOf(await confirm(typed));
    expect([status, Object.keys(errors)]).toEqual([422, [field]]);
    expect(errors[field]).toContain(text);
    expect(values).toMatchObject(typed);
    expect(changedTables(before, await stateOfTables())).toEqual([]);
  });

  test("[REV-04] a private key is refused and never shown again", async () => {
    const { keyFile } = made();
    const secret = readFileSync(keyFile, "utf8");
    const forms: Fields[] = [
      { csr: secret },
      { ...signed(challenge(), keyFile), publicKey: secret },
      { ...signed(challenge(), keyFile), signature: secret },
    ];
    for (const fields of forms) {
      const answer = await confirm(fields);
      expect(answer.status).toBe(422);
      const text = await answer.text();
      expect(text).toContain("Never send a private key");
      expect(text).not.toContain(secret.split("\n")[3]);
    }
  });
});
