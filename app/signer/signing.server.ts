import { verify, webcrypto } from "node:crypto";
import { describeCertificate } from "~/ca/certificate/describe.server";
import { CaError } from "~/ca/errors.server";
import { type SignerSettings } from "~/lib/signer-env.server";
import { type Books, type OpenBooks } from "./books.server";
import { readCertificateRequest, type ReadRequest } from "./certificate-rules.server";
import { readCrlRequest, requireForward } from "./crl-rules.server";
import { type FactorRegister, type Granted } from "./factor-register.server";
import { type SigningIssuer } from "./issuers.server";
import { type SignedContent } from "./journal-entry.server";
import { endOfDay, type Ledger, requireRoom } from "./ledger.server";
import { GRANTS, RULES_ONLY, type SignerState, WORD_OF_PORTAL } from "./protocol";
import { Refusal } from "./refusal.server";

/** What the signer was started with. */
export interface SignerParts {
  settings: Pick<
    SignerSettings,
    "acceptsPast" | "allowedNames" | "dailyCeiling" | "keyAlgorithms" | "needsGrants" | "policyOid" | "repositoryUrl"
  >;
  issuers: Map<string, SigningIssuer>;
  books: Books;
}

/** How many CAs the signer holds at most. A portal has two, and another one every few years. */
const MOST_ISSUERS = 40;

/** Identifier octet of the version of a TBS certificate, its first member. The first member of a TBS CRL is an INTEGER. */
const CERTIFICATE_VERSION = 0xa0;

/** Returns the first identifier octet inside the outermost element. */
function firstMember(tbs: Uint8Array): number | undefined {
  const length = tbs[1] ?? 0;
  return tbs[2 + (length < 0x80 ? 0 : length & 0x7f)];
}

async function read(tbs: Uint8Array, issuer: SigningIssuer, { settings }: SignerParts): Promise<ReadRequest> {
  try {
    if (firstMember(tbs) !== CERTIFICATE_VERSION) return await readCrlRequest(tbs, issuer);
    return readCertificateRequest(tbs, issuer, settings);
  } catch (error) {
    if (!(error instanceof CaError)) throw error;
    throw new Refusal("malformed", `This is neither a certificate nor a CRL of '${issuer.name}'. ${error.message}`);
  }
}

/** What is to be signed, before it is known on whose word. */
type SignedRequest = Omit<SignedContent, "authority">;

/** A request of the portal, and the standing authorisation under which it asks, if any. */
type StandingRequest = ReadRequest & { standing: number | null };

/** Returns on whose word a certificate may be signed: on a grant of its own, or on the one of the standing authorisation. */
function grantOf(
  { certified, standing }: StandingRequest,
  sha256: string,
  register: FactorRegister,
  now: Date,
): Granted {
  const own = register.findGrant(sha256, now);
  if ("authority" in own || standing === null || certified === null) return own;
  return register.findStandingGrant(standing, certified, now);
}

/**
 * Returns whether exactly these bytes were signed before. The portal asks again when it was interrupted, and gets the same answer.
 *
 * @throws Refusal when other bytes were signed under the same serial number.
 */
function isSigned(ledger: Ledger, { kind, issuer, serial, sha256 }: SignedRequest): boolean {
  if (kind === "crl" || kind === "delta-crl") {
    const last = ledger.findLastCrl(issuer);
    return last?.number === BigInt(serial) && last.digests.includes(sha256);
  }
  const signed = ledger.findSigned(issuer, serial);
  if (signed === null || signed === sha256) return signed !== null;
  throw new Refusal("refused", `The signer has signed another certificate with the serial number ${serial}.`);
}

async function makeSignature(tbs: Uint8Array, { name, hash, issuer, sign }: SigningIssuer): Promise<Uint8Array> {
  const signature = await sign(tbs).catch((error: unknown) => {
    throw new Refusal("unavailable", error instanceof Error ? error.message : String(error));
  });
  if (verify(hash, tbs, issuer.publicKey, signature)) return signature;
  throw new Refusal("unavailable", `The key of '${name}' signs wrongly.`);
}

/** Signs what the portal asks for, if it keeps the rules of the signer, and writes it to the journal before it hands out the signature. */
export class Signing {
  /** Lines that are not on the disk yet, by the SHA-256 of what was signed. */
  private readonly writing = new Map<string, Promise<void>>();

  constructor(
    private readonly parts: SignerParts,
    private readonly now: () => Date = () => new Date(),
  ) {}

  /**
   * Signs the bytes with the key of the CA with this name. Resolves with the signature when its line is in the journal and on the disk.
   *
   * @param standing The standing authorisation whose grant counts for a certificate that was not granted by itself, or null.
   * @throws Refusal with a sentence for people.
   */
  async sign(name: string, tbs: Uint8Array, standing: number | null = null): Promise<Uint8Array> {
    const issuer = this.parts.issuers.get(name);
    if (!issuer) throw new Refusal("not-found", `The signer has no CA '${name}'.`);
    const digest = await webcrypto.subtle.digest("SHA-256", tbs);
    const request = { ...(await read(tbs, issuer, this.parts)), standing };
    const content = { ...request.content, sha256: Buffer.from(digest).toString("hex") };
    this.allow(request, content, await this.parts.books.open()); // before the key is used
    const signature = await makeSignature(tbs, issuer);
    const books = await this.parts.books.open();
    // Nothing may wait between these checks and the line, so that requests that arrive at once are counted one after the other.
    const line = this.allow(request, content, books);
    if (line) this.write(line, books);
    await this.writing.get(content.sha256);
    return signature;
  }

  /** Returns the line to be written, or null for bytes that were signed before. Throws a Refusal when they must not be signed. */
  private allow(
    request: StandingRequest,
    content: SignedRequest,
    { ledger, register }: OpenBooks,
  ): SignedContent | null {
    if (isSigned(ledger, content)) return null;
    const { needsGrants, dailyCeiling } = this.parts.settings;
    const [now, { kind, issuer, sha256 }] = [this.now(), content];
    request.checkTimes(now);
    if (kind === "crl" || kind === "delta-crl") requireForward(ledger, content);
    const granted = kind === "certificate" && needsGrants ? grantOf(request, sha256, register, now) : null;
    if (granted && "why" in granted) throw new Refusal("no-grant", granted.why);
    requireRoom(ledger, kind, issuer, dailyCeiling, now);
    return { ...content, ...(granted ?? { authority: this.authority }) };
  }

  /** On whose word everything is signed that needs no grant. */
  private get authority(): string {
    return this.parts.settings.needsGrants ? RULES_ONLY : WORD_OF_PORTAL;
  }

  private write(content: SignedContent, books: OpenBooks): void {
    const written = this.parts.books.add(content, books, this.now());
    this.writing.set(content.sha256, written);
    written.catch(() => undefined).finally(() => this.writing.delete(content.sha256));
  }

  /** Signs for another CA from now on. Throws a Refusal `refused` when there is one of this name. */
  async add(issuer: SigningIssuer): Promise<void> {
    this.requireFree(issuer.name);
    const { issuers } = this.parts;
    issuers.set(issuer.name, issuer);
    await this.noteIssuers().catch((error: unknown) => {
      issuers.delete(issuer.name); // it signs nothing without its line
      throw error;
    });
  }

  /** Throws a Refusal `refused` when the signer has a CA of this name, or so many that no other is taken. */
  requireFree(name: string): void {
    if (this.parts.issuers.size >= MOST_ISSUERS)
      throw new Refusal("refused", `The signer has ${MOST_ISSUERS} CAs. Its operators remove old ones first.`);
    if (this.parts.issuers.has(name)) throw new Refusal("refused", `The signer has a CA '${name}' already.`);
  }

  /** Notes in the journal which CAs the signer holds, once for each certificate. */
  async noteIssuers(): Promise<void> {
    for (const { name, subject, certificateSha256: sha256, issuer } of this.parts.issuers.values()) {
      const books = await this.parts.books.open();
      if (books.ledger.knowsIssuer(name, sha256)) continue;
      const serial = describeCertificate(issuer.certificateDer).serialNumber;
      this.write({ kind: "issuer", issuer: name, serial, subject, sha256, authority: this.authority }, books);
      await this.writing.get(sha256);
    }
  }

  /** Returns what the signer holds and has signed. */
  async state(): Promise<SignerState> {
    const { journal, ledger } = await this.parts.books.open();
    const now = this.now();
    const issuers = await Promise.all(
      [...this.parts.issuers.values()].map(async ({ name, subject, publicKeySha256, whyUnusable }) => ({
        name,
        subject,
        publicKey: publicKeySha256,
        problem: await whyUnusable(),
        ...ledger.countsOf(name),
      })),
    );
    const { needsGrants, dailyCeiling: perDay, repositoryUrl = null, policyOid = null } = this.parts.settings;
    const pinned = { repositoryUrl, policyOid };
    const ceiling = {
      perDay,
      used: ledger.certificatesOn(now),
      until: endOfDay(now),
    };
    return {
      authority: needsGrants ? GRANTS : WORD_OF_PORTAL,
      needsGrants,
      pinned,
      ceiling,
      issuers,
      journal: journal.head,
    };
  }
}
