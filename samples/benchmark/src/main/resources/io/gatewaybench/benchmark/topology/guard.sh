cd %s || exit 1
# The program tells its id before it begins. Told from here, it may end a line of the program
setsid sh -c 'echo "$0$$"; exec "$@"' '%s' %s &
pid=$!
exec 3<&0
( while [ -n "$(timeout 30 head -c 1 <&3)" ]; do :; done
kill -TERM -$pid; sleep 5; kill -KILL -$pid ) > /dev/null 2>&1 &
guard=$!
wait $pid
code=$?
kill $guard
[ $code -ne %d ] || code=1
exit $code
