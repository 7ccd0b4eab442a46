/** What the only owner of a company reads instead of a button to leave it. */
export const OnlyOwnerStays = () => (
  <p>You are the only owner. Make somebody else an owner before you leave the company.</p>
);
