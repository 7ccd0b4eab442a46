import { CopyButton } from "../ui/copy-button";
import { Note } from "../ui/note";

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
