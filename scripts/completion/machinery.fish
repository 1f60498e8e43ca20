# The words before the cursor, without `holdfast`
function __holdfast_tokens
    set -l tokens (commandline -opc)
    set -e tokens[1]
    printf '%s\n' $tokens
end

# Whether the command is this one, and no other command has begun
function __holdfast_in
    set -l tokens (__holdfast_tokens)
    test "$tokens[1]" = "$argv[1]"; and not contains -- -- $tokens
end

# Whether these are the words so far, as COMMAND/WORD
function __holdfast_at
    set -l tokens (__holdfast_tokens)
    contains -- -- $tokens; and return 1
    set -l way $tokens[1]
    set -l command $tokens[1]
    set -e tokens[1]
    set -l skip no
    for token in $tokens
        if test $skip = yes
            set skip no
        else if string match -q -- '-*' $token
            contains -- "$command$token" $__holdfast_valued; and set skip yes
        else if contains -- "$way/$token" $__holdfast_ways
            set way "$way/$token"
        end
    end
    test "$way" = "$argv[1]"; or test -z "$way" -a "$argv[1]" = /
end

# Answers of Holdfast are inserted unchanged, so only plain names are accepted.
function __holdfast_ids
    command holdfast completion ids $argv[1] 2>/dev/null | string match -r '^[A-Za-z0-9][A-Za-z0-9._-]*(?:\t.*)?$'
end

# After --: another command, with its own completion
function __holdfast_rest
    set -l tokens (commandline -opc)
    set -l at (contains -i -- -- $tokens); or return
    set -e tokens[1..$at]
    complete -C (string join ' ' -- (string escape -- $tokens) (commandline -ct))
end

complete -c holdfast -f
complete -c holdfast -n 'contains -- -- (__holdfast_tokens)' -a '(__holdfast_rest)'
