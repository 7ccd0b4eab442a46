import { DescriptionList } from "../ui/description-list";
import { SingleKeysSwitch } from "../ui/single-keys-switch";

const IN_LIST = [
  ["j", "the order below"],
  ["k", "the order above"],
  ["x", "select the order"],
  ["o", "open the order"],
  ["?", "this help"],
] as const;

/** The keys of the queue, which only scripts know. */
export const QueueKeys = () => (
  <details id="queue-keys" className="js-only">
    <summary>Keys</summary>
    <DescriptionList items={IN_LIST.map(([term, detail]) => ({ term, detail }))} />
    <SingleKeysSwitch label="Single keys work in this browser, also / for the search" />
  </details>
);
