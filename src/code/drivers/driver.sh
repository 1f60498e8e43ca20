# Runs in the box, in the shell that the text runs in. Protocol: see ../protocol/encode-request.ts. A `break` of the text
# leaves the loop of one round, and not the one that waits for texts.
while IFS= builtin read -r -d '' -u "$__holdfast_in" __holdfast_nonce && IFS= builtin read -r -d '' -u "$__holdfast_in" __holdfast_source; do
  for __holdfast_status in 0; do
    builtin eval "$__holdfast_source"
  done
  __holdfast_status=$?
  builtin printf '\0%s.' "$__holdfast_nonce" >&"$__holdfast_out"
  builtin printf -v __holdfast_end '{"kind":"end","exitCode":%d}' "$__holdfast_status"
  builtin printf '\0%s.%d\n%s' "$__holdfast_nonce" "${#__holdfast_end}" "$__holdfast_end" >&"$__holdfast_err"
done
