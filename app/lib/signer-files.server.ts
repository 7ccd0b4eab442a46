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

/** Returns the path of the journal in the folder of the signer. */
export const signerJournalFile = (directory: string): string => join(directory, "journal.jsonl");

/** The folder of the secrets of authenticator apps in the folder of the signer. */
export const signerAppFolder = (directory: string): string => join(directory, "apps");

/** Returns the path of the socket on which the signer answers its operators. It also keeps a second signer from the folder. */
export const signerOperatorSocket = (directory: string): string => join(directory, ".in-use");

/** Returns the path of the socket on which the signer that the portal starts itself answers the portal. */
export const signerPortalSocket = (directory: string): string => join(directory, "socket");
