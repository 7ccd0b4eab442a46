import { LinkButton } from "../ui/buttons";
import { CopyButton } from "../ui/copy-button";
import { Note } from "../ui/note";
import { PageHeader } from "../ui/page-header";

/** The page after the first second factor was added, with the recovery codes and the way on to `target`. */
export const FirstFactorAdded = ({
  title,
  codes,
  target,
}: {
  title: string;
  codes: readonly string[];
  target: string;
}) => (
  <div className="narrow stack-l">
    <PageHeader title={title} />
    <RecoveryCodes codes={codes} />
    <LinkButton to={target} variant="primary">
      I have stored the codes
    </LinkButton>
  </div>
);

/** New recovery codes, which are shown once only. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  return (
    <section className="stack-l" aria-labelledby="recovery-codes">
      <h2 id="recovery-codes">Your recovery codes</h2>
      <Note tone="warn" title="These codes are shown only now.">
        <p>
          Print them or keep them in a password manager, not on the device with your authenticator app. Each works once
          in place of your second factor.
        </p>
      </Note>
      <ul className="codes mono">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <CopyButton value={codes.join("\n")} label="Copy all codes" />
    </section>
  );
}
