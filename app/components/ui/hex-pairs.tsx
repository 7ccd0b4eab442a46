/** A serial number, thumbprint or fingerprint as `colonHex` writes it; a narrow column breaks it between two bytes. */
export const HexPairs = ({ value }: { value: string }) => <span className="mono hex-pairs">{value}</span>;
