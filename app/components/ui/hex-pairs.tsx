/** A serial number, thumbprint or fingerprint as written by `colonHex`. In a narrow column it breaks between two bytes. */
export const HexPairs = ({ value }: { value: string }) => <span className="mono hex-pairs">{value}</span>;
