import { useEffect } from "react";
import { DescriptionList } from "../ui/description-list";
import { SingleKeysSwitch } from "../ui/single-keys-switch";

const IN_LIST = [
  ["j", "the order below"],
  ["k", "the order above"],
  ["x", "select the order"],
  ["o", "open the order"],
  ["?", "this help"],
] as const;

const ON_ORDER = [
  ["j", "the next order of the view"],
  ["k", "the previous order of the view"],
  ["?", "this help"],
] as const;

/** The keys of the queue, or of the page of an order, which only scripts know. */
export function QueueKeys({ isOrder = false }: { isOrder?: boolean }) {
  useEffect(() => void import("./queue-keys-script"), []);
  return (
    <details id="queue-keys" className="js-only">
      <summary>Keys</summary>
      <DescriptionList items={(isOrder ? ON_ORDER : IN_LIST).map(([term, detail]) => ({ term, detail }))} />
      <SingleKeysSwitch label="Single keys work in this browser, also / for the search" />
    </details>
  );
}
