import { useEffect, useRef, useState } from "react";
import { type FramedForm } from "~/domain/frame/framed-form.service.server";

const NAME = "partner-form";
/** Nothing that could leave the frame: it cannot take the portal's page away. */
const SANDBOX = "allow-forms allow-scripts allow-same-origin allow-popups allow-modals allow-downloads";
/** Milliseconds after which the form is opened though the login has not answered. */
const PATIENCE = 15_000;

/** Whether something of the partner has been loaded: its document is out of reach from here, the empty one is not. */
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

/**
 * A framed form (A §2): the partner's remote login takes the token, then the form is shown in the same frame.
 * Without scripts both steps are pressed by hand.
 */
export function PartnerFrame({ host, loginUrl, token, targetUrl }: FramedForm) {
  const { login, isOpen, frame } = useRemoteLogin(targetUrl);
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
        </div>
      </div>
      <p role="status" className="js-only">
        {isOpen ? "" : `Logging in to ${host} …`}
      </p>
      <iframe
        {...frame}
        name={NAME}
        title={`Form of ${host}`}
        className="partner"
        sandbox={SANDBOX}
        referrerPolicy="no-referrer"
      />
    </>
  );
}
