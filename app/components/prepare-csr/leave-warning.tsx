import { useBeforeUnload, useBlocker } from "@remix-run/react";
import { useCallback } from "react";
import { paths } from "~/lib/paths";
import { ButtonRow } from "../ui/buttons";
import { Modal } from "../ui/modal";

/** Asks before the user leaves a page whose key was not saved and would be lost. */
export function LeaveWarning({ isAtRisk }: { isAtRisk: boolean }) {
  useBeforeUnload(useCallback((event) => (isAtRisk ? event.preventDefault() : undefined), [isAtRisk]));
  const blocker = useBlocker(({ nextLocation }) => isAtRisk && nextLocation.pathname !== paths.theme);
  if (blocker.state !== "blocked") return null;
  return (
    <Modal title="Leave without the private key?" onClose={() => blocker.reset()}>
      <p>The private key has not been saved. If you leave, it is lost and the CSR is useless.</p>
      <ButtonRow>
        <button type="button" className="btn danger" onClick={() => blocker.proceed()}>
          Leave
        </button>
        <button type="button" className="btn" onClick={() => blocker.reset()} data-first-focus="">
          Stay
        </button>
      </ButtonRow>
    </Modal>
  );
}
