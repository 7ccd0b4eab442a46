interface Names {
  /** The certificate and its issuer as PEM. */
  chain: string;
  /** The name of the downloaded chain without its extension. */
  chainName: string;
  /** The name of the certificate's files without an extension. */
  name: string;
}

/** Returns what a PKCS #12 file is made of, its name, and the command that makes the same from the downloaded full chain. */
export const keyFileFor = ({ chain, chainName, name }: Names) => ({
  chain,
  fileName: `${name}.p12`,
  command: `openssl pkcs12 -export -inkey private.key.pem -in "${chainName}.pem" -out "${name}.p12"`,
});

export type KeyFile = ReturnType<typeof keyFileFor>;
