interface Props {
  name: string;
  /** For staff: the administrator who acted as this person, or null. */
  by: string | null;
}

/** Who has done something. */
export const PersonName = ({ name, by }: Props) => (
  <>
    <bdi>{name}</bdi>
    {by !== null && ` (${by} acted for them)`}
  </>
);
