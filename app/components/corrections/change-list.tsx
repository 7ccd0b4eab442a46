import { type Correction } from "~/domain/orders/corrections/correction";
import { DescriptionList } from "../ui/description-list";

/** What a correction changes: each field with the old and the new value. */
export const ChangeList = ({ changes }: { changes: readonly Correction[] }) => (
  <DescriptionList
    items={changes.map(({ label, from, to }) => ({
      term: label,
      detail: (
        <>
          <del>
            <bdi>{from || "–"}</bdi>
          </del>{" "}
          →{" "}
          <ins>
            <bdi>{to || "–"}</bdi>
          </ins>
        </>
      ),
    }))}
  />
);
