import { type KeyObject, webcrypto } from "node:crypto";
import { CaError } from "../errors.server";
import { type SignatureHash, type Signer } from "../signer.server";
import { Connection, isAnySessionInUse, type TokenSettings } from "./connection.server";
import { isTokenLost, needsRestart, tokenError } from "./errors.server";
import { type Handle, type Library, loadLibrary, restartLibrary } from "./library.server";
import { findKeys, findLabel, generateKey, relabelKey, removeObjects } from "./objects.server";

/** DER of DigestInfo before the digest (RFC 8017 §9.2, note 1). */
const PREFIX: Record<SignatureHash, string> = {
  sha256: "3031300d060960864801650304020105000420",
  sha512: "3051300d060960864801650304020305000440",
};

const NAMES = { sha256: "SHA-256", sha512: "SHA-512" } as const;

/**
 * Returns the DER of the DigestInfo of these bytes, which EMSA-PKCS1-v1_5 pads and signs. The hash is computed outside the main thread,
 * because CRLs have megabytes.
 */
async function digestInfo(hash: SignatureHash, bytes: Uint8Array): Promise<Buffer> {
  const digest = await webcrypto.subtle.digest(NAMES[hash], bytes);
  return Buffer.concat([Buffer.from(PREFIX[hash], "hex"), Buffer.from(digest)]);
}

export { type TokenSettings } from "./connection.server";

/**
 * The keys of a PKCS #11 token (v2.40). The first call opens the token, and a call that finds it lost opens it again. Every method throws a
 * CaError: `token` when the token, the library or the key fails, and `wrong-pin` once the PIN has been refused.
 */
export class Token {
  private connection: Promise<Connection> | null = null;
  /**
   * The buffers that are being signed. pkcs11js stores only an address, so without this set they could be garbage-collected while they are
   * in use.
   */
  private readonly signing = new Set<Buffer>();

  constructor(private readonly settings: TokenSettings) {}

  get label(): string {
    return this.settings.label;
  }

  /** Returns the public halves of the RSA keys with this label. */
  listPublicKeys(label: string): Promise<KeyObject[]> {
    return this.withConnection((connection) =>
      connection.withSession((session) =>
        findKeys(connection.library, session, label).map(({ publicKey }) => publicKey),
      ),
    );
  }

  /** Returns the label of the key with this public half, or null when the token has no such key. */
  findLabel(publicKey: KeyObject): Promise<string | null> {
    return this.withConnection((connection) =>
      connection.withSession((session) => findLabel(connection.library, session, publicKey)),
    );
  }

  /** Generates an RSA key that can only sign and never leaves the token. Returns its public half. */
  async generateKey(label: string, bits: number): Promise<KeyObject> {
    return this.changing(async ({ library }, session) => (await generateKey(library, session, label, bits)).publicKey);
  }

  /** Changes the label of a key. */
  relabelKey(from: string, to: string, publicKey: KeyObject): Promise<void> {
    return this.changing(({ library }, session) => relabelKey(library, session, from, to, publicKey));
  }

  /** Removes the keys with this label permanently. */
  removeKeys(label: string): Promise<void> {
    return this.changing(({ library }, session) => removeObjects(library, session, label));
  }

  /** Returns a signer for the key with this label and public half. The first signature looks the key up. */
  signer(label: string, publicKey: KeyObject, hash: SignatureHash): Signer {
    return {
      hash,
      sign: async (tbs) => {
        const info = await digestInfo(hash, tbs);
        return this.withConnection((connection) => this.sign(connection, label, publicKey, info));
      },
    };
  }

  /**
   * Signs with CKM_RSA_PKCS a DigestInfo that is made here. Every token supports this for every hash, and a CRL of megabytes does not have
   * to be sent to the token.
   */
  private sign(connection: Connection, label: string, publicKey: KeyObject, info: Buffer): Promise<Uint8Array> {
    const { ck, functions } = connection.library;
    const length = Math.ceil((publicKey.asymmetricKeyDetails?.modulusLength ?? 0) / 8);
    return connection.withSession(async (session) => {
      const key = this.keyHandle(connection, session, label, publicKey);
      functions.C_SignInit(session, { mechanism: ck.CKM_RSA_PKCS }, key);
      this.signing.add(info);
      return functions.C_SignAsync(session, info, Buffer.alloc(length)).finally(() => this.signing.delete(info));
    });
  }

  private keyHandle({ library, keys }: Connection, session: Handle, label: string, publicKey: KeyObject): Handle {
    const known = keys.get(label);
    if (known?.publicKey.equals(publicKey)) return known.handle;
    const found = findKeys(library, session, label).find((key) => key.publicKey.equals(publicKey));
    if (!found)
      throw new CaError("token", `The token '${this.label}' does not hold the key '${label}' of the certificate.`);
    keys.set(label, found);
    return found.handle;
  }

  private changing<T>(work: (connection: Connection, session: Handle) => T | Promise<T>): Promise<T> {
    return this.withConnection((connection) => connection.withWritingSession((session) => work(connection, session)));
  }

  /** Runs `work` with the open token. If the token was lost, opens it and runs `work` once more. */
  private async withConnection<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    for (let isRetry = false; ; isRetry = true) {
      const opening = this.open();
      const connection = await opening;
      try {
        return await work(connection);
      } catch (error) {
        if (isTokenLost(error) && this.connection === opening) {
          this.connection = null;
          connection.end();
          if (needsRestart(error) && !isAnySessionInUse()) restartLibrary(connection.library);
        }
        if (isRetry || !isTokenLost(error)) throw tokenError(`The token '${this.label}' refused`, error);
      }
    }
  }

  private open(): Promise<Connection> {
    if (this.connection) return this.connection;
    const opening = this.connect();
    this.connection = opening;
    opening.catch((error: unknown) => {
      // A refused PIN is not tried again, because a token locks itself after a few refusals.
      if (!(error instanceof CaError && error.code === "wrong-pin")) this.connection = null;
    });
    return opening;
  }

  private async connect(): Promise<Connection> {
    const library = await loadLibrary(this.settings.module);
    try {
      return this.connectTo(library);
    } catch (error) {
      throw tokenError(`The token '${this.label}' cannot be opened`, error);
    }
  }

  /** Opens the token, after a new start of the library if it is not found: it may have been pulled out and be back. */
  private connectTo(library: Library): Connection {
    try {
      return Connection.open(library, this.settings);
    } catch (error) {
      const isRefused = error instanceof CaError && error.code === "wrong-pin";
      if (isRefused || isAnySessionInUse()) throw error;
      restartLibrary(library);
      return Connection.open(library, this.settings);
    }
  }
}
