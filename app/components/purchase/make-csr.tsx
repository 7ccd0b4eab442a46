import { type ComponentType, createElement, useEffect, useState } from "react";
import { TextField } from "../forms/text-field";
import { SubmitButton } from "../ui/buttons";
import { type BrowserMakingProps } from "./browser-making";

interface Props extends BrowserMakingProps {
  /** Whether the names are those of the certificate that is renewed. */
  isRenewal: boolean;
  /** Whether the order has a CSR already. */
  hasCsr: boolean;
}

/** Key and CSR from what the account knows: made in the browser, or by commands where no scripts run. */
export function MakeCsr({ formId, making, isRenewal, hasCsr }: Props) {
  const { source, facts, commands } = making;
  return (
    <>
      {!isRenewal && (
        <TextField
          name="host"
          label="Host name"
          maxLength={64}
          autoComplete="off"
          hint="The address your partners connect to, e.g. oftp.example.com"
        />
      )}
      <p>
        {source}: <strong>{facts}</strong>
      </p>
      <LaterPart formId={formId} making={making} />
      <div>
        <SubmitButton intent="commands" variant="secondary" skipValidation>
          Show the commands
        </SubmitButton>
      </div>
      {commands && !hasCsr && (
        <section className="stack" id="csr-commands" tabIndex={-1} aria-label="Commands for key and CSR">
          <p>Run one of these on your computer, then choose Paste or File and import the CSR.</p>
          {commands.map(([tool, text]) => (
            <div key={tool}>
              <h3>{tool}</h3>
              <pre className="pem" tabIndex={0} role="group" aria-label={tool}>
                {text}
              </pre>
            </div>
          ))}
        </section>
      )}
    </>
  );
}

/** The part that needs scripts. It is loaded after the page's own scripts. */
function LaterPart(props: BrowserMakingProps) {
  const [part, setPart] = useState<ComponentType<BrowserMakingProps> | null>(null);
  useEffect(() => {
    void import("./browser-making").then(({ BrowserMaking }) => setPart(() => BrowserMaking));
  }, []);
  return part && createElement(part, props);
}
