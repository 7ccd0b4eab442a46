import { useEffect, useRef, useState } from "react";
import { type FrameProblem } from "~/domain/frame/frame-problem.server";
import { type FramedForm } from "~/domain/frame/framed-form.service.server";
import { ButtonRow } from "../ui/buttons";
import { Note } from "../ui/note";

const frameProblemText = (problem: FrameProblem, host: string): string =>
  ({
    unreachable: `The portal cannot reach ${host} at the moment.`,
    failing: `${host} answers with an error at the moment.`,
    forbidden: `${host} does not allow its form to be shown inside the portal. Open it in a new tab.`,
  })[problem];

const NAME = "partner-form";
/** The permissions of the frame. None of them lets the frame navigate the portal's page. */
const SANDBOX = "allow-forms allow-scripts allow-same-origin allow-popups allow-modals allow-downloads";
/** The form opens after this many milliseconds even when the login has not answered. */
const PATIENCE = 15_000;

/** Returns whether the frame has loaded a page of the partner. That document is inaccessible from here; the empty one is accessible. */
const hasArrived = (frame: HTMLIFrameElement): boolean => frame.contentDocument?.URL !== "about:blank";

/** With scripts: posts the token into the frame once, then opens the form there. */
function useRemoteLogin(targetUrl: string) {
  const login = useRef<HTMLFormElement>(null);
  const [isOpen, setOpen] = useState(false);
  const sent = useRef(false);
  useEffect(() => {
    if (!sent.current) login.current?.submit();
    sent.current = true;
    const timer = setTimeout(() => setOpen(true), PATIENCE);
    return () => clearTimeout(timer);
  }, []);
  return {
    login,
    isOpen,
    frame: {
      src: isOpen ? targetUrl : undefined,
      onLoad: (event: React.SyntheticEvent<HTMLIFrameElement>) => {
        if (sent.current && hasArrived(event.currentTarget)) setOpen(true);
      },
    },
  };
}

/** With scripts: asks the portal why the frame stays empty. Returns null until there is an answer. */
function useFrameProblem(problemUrl: string): FrameProblem | null {
  const [problem, setProblem] = useState<FrameProblem | null>(null);
  useEffect(() => {
    const leaving = new AbortController();
    fetch(problemUrl, { signal: leaving.signal })
      .then((answer) => (answer.ok ? (answer.json() as Promise<{ problem: FrameProblem | null }>) : { problem: null }))
      .then((answer) => setProblem(answer.problem))
      // Without an answer the reason is unknown, and the frame may still show the form.
      .catch(() => undefined);
    return () => leaving.abort();
  }, [problemUrl]);
  return problem;
}

/** Opens the form outside the portal, where users can log in to the partner themselves. */
const OpenInTab = ({ targetUrl, children }: { targetUrl: string; children: React.ReactNode }) => (
  <a className="btn" href={targetUrl} target="_blank" rel="noopener noreferrer">
    {children}
  </a>
);

interface ProblemProps extends Pick<FramedForm, "host" | "targetUrl"> {
  problem: FrameProblem;
}

const ProblemNote = ({ problem, host, targetUrl }: ProblemProps) => (
  <Note tone="bad" title={problem === "forbidden" ? "The form cannot be shown here." : "The form may not appear."}>
    <div className="stack">
      <p>{frameProblemText(problem, host)}</p>
      <ButtonRow>
        <button type="button" className="btn" onClick={() => location.reload()}>
          Retry
        </button>
        <OpenInTab targetUrl={targetUrl}>Open the form</OpenInTab>
      </ButtonRow>
    </div>
  </Note>
);

/**
 * A framed form (FRM-01, FRM-02). The partner's remote login takes the token, then the form opens in the same frame. Without scripts the
 * user presses a button for each step.
 */
export function PartnerFrame({ host, loginUrl, token, targetUrl, problemUrl }: FramedForm & { problemUrl: string }) {
  const { login, isOpen, frame } = useRemoteLogin(targetUrl);
  const problem = useFrameProblem(problemUrl);
  return (
    <>
      <div className="no-js stack">
        <p>First log in, within one minute, then open the form.</p>
        <div className="row">
          <form ref={login} method="post" action={loginUrl} target={NAME}>
            <input type="hidden" name="token" value={token} />
            <button type="submit" className="btn primary">
              {`Log in to ${host}`}
            </button>
          </form>
          <a className="btn" href={targetUrl} target={NAME} rel="noreferrer">
            Open the form
          </a>
          <OpenInTab targetUrl={targetUrl}>Open the form in a new tab</OpenInTab>
        </div>
        <p>
          {`If the frame stays empty, ${host} cannot be reached or does not allow its form to be shown inside the portal.`}
        </p>
      </div>
      <p role="status" className="js-only">
        {isOpen || problem ? "" : `Logging in to ${host} …`}
      </p>
      <div role="alert">{problem && <ProblemNote {...{ problem, host, targetUrl }} />}</div>
      <iframe
        {...frame}
        name={NAME}
        title={`Form of ${host}`}
        className="partner"
        hidden={problem === "forbidden"}
        sandbox={SANDBOX}
        referrerPolicy="no-referrer"
      />
    </>
  );
}
