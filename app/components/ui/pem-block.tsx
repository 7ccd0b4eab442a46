import { CopyButton } from "./copy-button";

interface Props {
  /** The name of the text, e.g. 'Certificate (PEM)'. */
  label: string;
  value: string;
}

export function PemText({ label, value }: Props) {
  return (
    <div className="stack">
      <pre className="pem" tabIndex={0} role="group" aria-label={label}>
        {value}
      </pre>
      <CopyButton value={value} label={`Copy ${label}`} />
    </div>
  );
}
