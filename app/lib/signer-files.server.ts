import { join } from "node:path";

/** Returns the folder of the signer that is in DATA_DIR unless SIGNER_DIR says otherwise. */
export const signerFolderIn = (dataDir: string): string => join(dataDir, "signer");

/** The folder of the certificates in the folder of the signer. */
export const signerCertificateFolder = (directory: string): string => join(directory, "certificates");

/** Returns the path of the certificate of a CA in the folder of the signer. */
export const signerCertificateFile = (directory: string, name: string): string =>
  join(signerCertificateFolder(directory), `${name}.cer`);

/** The folder of the encrypted keys in the folder of the signer. */
export const signerKeyFolder = (directory: string): string => join(directory, "keys");

/** Returns the path of the encrypted key of a CA in the folder of the signer. */
export const signerKeyFile = (directory: string, name: string): string =>
  join(signerKeyFolder(directory), `${name}.key.pem`);

const WAITING = ".waiting.pem";

/** Returns the name of the file of a key that waits for its certificate, with the portal and with the signer. */
export const waitingKeyName = (name: string, fingerprint: string): string =>
  `${name}.${fingerprint.slice(0, 16)}${WAITING}`;

/** Returns whether a file has a waiting key: of this CA, or of any when `name` is "". */
export const isWaitingKeyName = (file: string, name = ""): boolean =>
  file.endsWith(WAITING) && file.startsWith(name && `${name}.`);

/** Returns the path of the journal in the folder of the signer. */
export const signerJournalFile = (directory: string): string => join(directory, "journal.jsonl");

/** The folder of the secrets of authenticator apps in the folder of the signer. */
export const signerAppFolder = (directory: string): string => join(directory, "apps");

/** Returns the path of the socket on which the signer answers its operators. It also keeps a second signer from the folder. */
export const signerOperatorSocket = (directory: string): string => join(directory, ".in-use");

/** Returns the path of the socket on which the signer that the portal starts itself answers the portal. */
export const signerPortalSocket = (directory: string): string => join(directory, "socket");
