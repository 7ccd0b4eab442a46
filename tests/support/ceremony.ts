import { createPrivateKey, randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { stringify } from "yaml";
import { createRootCertificate } from "~/ca/hierarchies.server";
import { keyFingerprint } from "~/ca/key-text.server";
import { encryptPrivateKey, kdfRounds, spkiDerOf } from "~/ca/keys.server";
import { toPem } from "~/ca/pem.server";
import { type SignatureHash, softwareSigner } from "~/ca/signer.server";
import { sha256Hex } from "~/ca/thumbprint.server";
import { checkCeremony } from "~/domain/ceremony/check.server";
import { runCeremony } from "~/domain/ceremony/run.service.server";
import { signCsr } from "./csr";
import { nextRsaKey } from "./keys";
import { setVariables } from "./variables";

export const PASSPHRASE = "the passphrase of a ceremony";
export const ORGANISATION = "Example Association";

export interface TestPlan {
  [key: string]: unknown;
  steps: Record<string, unknown>[];
}

export const subjectOf = (commonName: string) => ({ country: "GB", organisation: ORGANISATION, commonName });

export const ADDRESSES = { crl: "http://pki.example/root.crl", caIssuers: "http://pki.example/root.cer" };

/** Creates a folder for the plans of a test file and a DATA_DIR beside it. Call it once at the top of the file. */
export function useCeremonies() {
  const folder = mkdtempSync(join(tmpdir(), "marque-ceremony-"));
  const dataDir = join(folder, "data");
  mkdirSync(join(dataDir, "ca"), { recursive: true });
  beforeAll(() => {
    setVariables({ DATA_DIR: dataDir, ROOT_PASSPHRASE: PASSPHRASE });
    kdfRounds.replace(2048);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  let count = 0;

  /** Writes a file beside the plans. Returns how a plan names it. */
  function input(name: string, content: string | Uint8Array): { file: string; sha256: string } {
    writeFileSync(join(folder, name), content);
    return { file: name, sha256: sha256Hex(Buffer.from(content)) };
  }

  /** Returns a plan with these steps, whose results go to a new folder. */
  function planOf(steps: Record<string, unknown>[], change: Record<string, unknown> = {}): TestPlan {
    count += 1;
    return {
      title: "Ceremony of a test",
      date: "2027-01-12",
      operator: "Anna Example",
      witnesses: [{ name: "Ben Example", role: "Security officer" }],
      output: `out-${count}`,
      steps,
      ...change,
    };
  }

  /** Writes a plan. Returns its path and that of its output folder. */
  function write(plan: TestPlan | string, output = typeof plan === "string" ? "out" : String(plan.output)) {
    const file = join(folder, `plan-${output}.yaml`);
    writeFileSync(file, typeof plan === "string" ? plan : stringify(plan, { aliasDuplicateObjects: false }));
    return { file, output: join(folder, output) };
  }

  /** Writes the key of a CA into DATA_DIR/ca as the portal does. */
  async function keep(fileName: string, pem: string, passphrase = PASSPHRASE): Promise<void> {
    const key = createPrivateKey(pem);
    const text = `CA key, encrypted.\nPublic key SHA-256: ${keyFingerprint(key)}\n`;
    writeFileSync(join(dataDir, "ca", fileName), text + (await encryptPrivateKey(key, passphrase, randomBytes)));
  }

  /** Makes a root with a prepared key, as an earlier ceremony did. Returns how a plan names it. */
  async function formerRoot(name: string, hash: SignatureHash = "sha256") {
    const pem = nextRsaKey();
    const key = createPrivateKey(pem);
    const certificate = await createRootCertificate({
      subject: subjectOf(`Example ${name}`),
      spkiDer: spkiDerOf(key),
      signer: softwareSigner(key, hash),
      years: 20,
      now: new Date("2020-03-02T00:00:00Z"),
      random: randomBytes,
    });
    await keep(`${name}.key.pem`, pem);
    return { name, ...input(`${name}.pem`, toPem("CERTIFICATE", certificate)) };
  }

  /** Returns the CSR of a new key, as a plan names it. */
  function request(commonName: string) {
    const subject = `/C=GB/O=${ORGANISATION}/CN=${commonName}`;
    const { pem } = signCsr({ subject, san: [], digest: "sha256", key: nextRsaKey() });
    return input(`${commonName.replaceAll(" ", "-")}.csr.pem`, pem);
  }

  /** Puts a prepared key where the ceremony of this plan keeps the key that it makes for a root. */
  const prepareRootKey = (file: string, step: string) =>
    keep(`${step}.${sha256Hex(readFileSync(file)).slice(0, 16)}.ceremony.pem`, nextRsaKey());

  /**
   * Carries out a plan.
   *
   * @param answers What is typed, in order. Afterwards the input ends. 'reviewed' types the SHA-256 of the plan. By default that, then always
   *   yes.
   * @returns What was shown and asked, with the records.
   */
  async function run(file: string, answers?: readonly string[]) {
    const lines: string[] = [];
    const left = answers && [...answers];
    const versions = { portal: "1.0", node: "20", openssl: "3" };
    const checked = await checkCeremony(file);
    const always = (question: string) => (question.startsWith("Compare") ? "reviewed" : "yes");
    const records = await runCeremony(checked, versions, {
      say: (line) => void lines.push(line),
      ask: (question) => {
        lines.push(question);
        const typed = left ? (left.shift() ?? null) : always(question);
        return Promise.resolve(typed === "reviewed" ? checked.sha256 : typed);
      },
      passphrase: () => Promise.resolve(),
      now: () => new Date("2027-01-12T10:00:00Z"),
    });
    return { ...records, shown: lines.join("\n") };
  }

  return { folder, dataDir, input, planOf, write, keep, formerRoot, request, prepareRootKey, run };
}

export const rootStep = (name = "root-2027", change: Record<string, unknown> = {}) => ({
  name,
  kind: "root",
  key: { store: "file", bits: 2048 },
  certificate: { subject: subjectOf("Example Root 2027"), hash: "sha256", years: 20 },
  ...change,
});

export const issuingStep = (
  issuer: unknown,
  request: unknown,
  commonName: string,
  change: Record<string, unknown> = {},
) => ({
  name: "issuing-2027",
  kind: "issuing",
  issuer,
  request,
  certificate: {
    subject: subjectOf(commonName),
    hash: "sha256",
    years: 10,
    policy: { oid: "2.999.1.2.3", cps: "http://pki.example/cps.pdf" },
    ...ADDRESSES,
    ...change,
  },
});

export const crlStep = (issuer: unknown, change: Record<string, unknown> = {}) => ({
  name: "root-crl",
  kind: "crl",
  issuer,
  crl: {
    hash: "sha256",
    number: 1,
    previous: "none",
    thisUpdate: "2027-01-12T00:00:00Z",
    nextUpdate: "2027-07-12T00:00:00Z",
    revoked: [],
    ...change,
  },
});
