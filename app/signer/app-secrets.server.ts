import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { Decrypter, Encrypter } from "age-encryption";
import { syncDirectory, writeFileAtomically } from "~/lib/atomic-file.server";
import { log } from "~/lib/log.server";
import { signerAppFolder } from "~/lib/signer-files.server";

/** The cost of trying a passphrase as a power of two. That of the keys is long; a PIN is not, so copies of the folder must be encrypted. */
const WORK_FACTOR = 12;

const ENDING = ".age";

/**
 * The secrets of authenticator apps. They are on the signer's disk, encrypted with the passphrase of its keys or the PIN of its token, and not
 * in the journal, which the portal reads.
 */
export class AppSecrets {
  private readonly secrets = new Map<string, string>();
  private readonly folder: string;

  private constructor(
    directory: string,
    private passphrase: string,
  ) {
    this.folder = signerAppFolder(directory);
  }

  private file(id: string): string {
    return join(this.folder, id + ENDING);
  }

  /**
   * Reads all secrets. One that the passphrase does not open is logged and left out: its app must be added again.
   *
   * @param other Another passphrase that may open them, when it is being changed.
   */
  static async open(directory: string, passphrase: string, other = passphrase): Promise<AppSecrets> {
    const all = new AppSecrets(directory, passphrase);
    await mkdir(all.folder, { recursive: true, mode: 0o700 });
    for (const name of await readdir(all.folder)) {
      if (!name.endsWith(ENDING)) continue;
      const decrypter = new Decrypter();
      for (const one of new Set([passphrase, other])) decrypter.addPassphrase(one);
      try {
        const secret = await decrypter.decrypt(await readFile(join(all.folder, name)), "text");
        all.secrets.set(name.slice(0, -ENDING.length), secret);
      } catch (error) {
        log().error({ err: error, name }, "the secret of an authenticator app cannot be opened: add the app again");
      }
    }
    return all;
  }

  /** Returns the secret of an app in base32, or null. */
  find(id: string): string | null {
    return this.secrets.get(id) ?? null;
  }

  private encrypted(secret: string): Promise<Uint8Array> {
    const encrypter = new Encrypter();
    encrypter.setPassphrase(this.passphrase);
    encrypter.setScryptWorkFactor(WORK_FACTOR);
    return encrypter.encrypt(secret);
  }

  /** Stores the secret of an app. */
  async add(id: string, secret: string): Promise<void> {
    await writeFileAtomically(this.file(id), await this.encrypted(secret), { exclusive: true });
    this.secrets.set(id, secret);
  }

  /** Encrypts all secrets with another passphrase. */
  async encryptAgain(passphrase: string): Promise<void> {
    this.passphrase = passphrase;
    for (const [id, secret] of this.secrets) await writeFileAtomically(this.file(id), await this.encrypted(secret));
  }

  /** Removes the secret of an app, if there is one. */
  async remove(id: string): Promise<void> {
    this.secrets.delete(id);
    await rm(this.file(id), { force: true });
    await syncDirectory(this.folder);
  }
}
