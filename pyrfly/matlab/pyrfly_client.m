classdef pyrfly_client < pyrfly_received
%PYRFLY_CLIENT A vehicle of pyrfly sim, or of RflySim's CopterSim, by RflySim's UDP structures.
%   MAV = PYRFLY_CLIENT(COPTERID, IP, FIRST_PORT) is vehicle COPTERID (1) of the simulator at IP
%   ('127.0.0.1'). FIRST_PORT is the port of commands to vehicle 1 (20100).
%
%   Methods have the names, the order of arguments and the units of RflySim's PX4MavCtrler, as
%   pyrfly's Python client: m, m/s, rad, north, east, down. A NaN, or an argument that is left out,
%   is not controlled. Nothing is received or repeated beside a pause: wait with PYRFLY_WAIT.
%
%   Example:
%       mav = pyrfly_client(1);
%       mav.InitMavLoop(0);
%       mav.initOffboard();
%       mav.SendPosNED(0, 0, -5, 0);
%       pyrfly_wait(mav, 8);
%       disp(mav.uavPosNED)
%       mav.endMavLoop();
%
%   See also PYRFLY_WAIT, PYRFLY_WORDS, PYRFLY_LOG.

    properties (SetAccess = private)
        CopterID
        ip
        UDPMode = 0               % 0: UDP_Full, 1: UDP_Simple
        isInOffboard = false      % set-points are repeated
        isArmed = false           % what was commanded last
    end

    properties (Access = private)
        first_port
        state_link = []           % pyrfly_udp
        truth_link = []
        set_point = []            % bytes of its packet; [] for none
        holds = false             % without a set-point, it is repeated that there is none
        repeated                  % when
    end

    methods
        function obj = pyrfly_client(varargin)
            [obj.CopterID, obj.ip, obj.first_port] = ...
                defaults(varargin, {1, '127.0.0.1', 20100});
            obj.repeated = tic;
        end

        % --- begin and end

        function InitMavLoop(obj, UDPMode)
            % Take control; the vehicle is disarmed. UDPMode: 0 UDP_Full, 1 UDP_Simple.
            if nargin < 2
                UDPMode = 0;
            end
            if ~any(UDPMode == [0 1])
                error('pyrfly:mode', 'UDPMode: expected 0 (UDP_Full) or 1 (UDP_Simple), got %g', ...
                    UDPMode);
            end
            obj.close_links();
            obj.state_link = pyrfly_udp(obj.port() + 1);
            obj.UDPMode = UDPMode;
            obj.SendMavArm(0);
        end

        function InitTrueDataLoop(obj)
            % Receive the true state, too.
            obj.EndTrueDataLoop();
            obj.truth_link = pyrfly_udp(obj.port() + 10001);
        end

        function EndTrueDataLoop(obj)
            if ~isempty(obj.truth_link)
                obj.truth_link.close();
                obj.truth_link = [];
            end
        end

        function endMavLoop(obj)
            % Release control; an armed vehicle is disarmed, also in the air.
            if obj.isArmed && ~isempty(obj.state_link)
                obj.SendMavArm(0);
            end
            obj.close_links();
            obj.isInOffboard = false;
        end

        function stopRun(obj)
            obj.endMavLoop();
        end

        function update(obj)
            % Take what has arrived, and repeat the set-point where it is time; see PYRFLY_WAIT.
            if ~isempty(obj.state_link)
                obj.take('state', obj.state_link.receive());
            end
            if ~isempty(obj.truth_link)
                obj.take('truth', obj.truth_link.receive());
            end
            periods = [0.01, 1 / 30];  % s, of RflySim's client
            if obj.isInOffboard && toc(obj.repeated) >= periods(obj.UDPMode + 1)
                obj.repeat();
            end
        end

        % --- offboard

        function initOffboard(obj)
            % Follow set-points from now on; arm, and stay until the first one.
            obj.set_point = [];
            obj.initOffboard2();
            obj.hold();
        end

        function initOffboard2(obj)
            % Follow set-points from now on, beginning with the last one; arm.
            obj.isInOffboard = true;
            obj.holds = isempty(obj.set_point);
            obj.SendMavArm(1);
        end

        function endOffboard(obj)
            % Follow set-points no longer; hold the present position.
            obj.isInOffboard = false;
            obj.hold();
        end

        % --- set-points

        function SendVelNED(obj, varargin)
            % SendVelNED(vx, vy, vz, yawrate)
            [vel, rate] = vector_and_one(varargin);
            obj.fly(0, 1, 'vel', vel, 'yawrate', rate);
        end

        function SendVelNEDNoYaw(obj, vx, vy, vz)
            obj.fly(0, 1, 'vel', [vx vy vz], '', NaN);
        end

        function SendVelFRD(obj, varargin)
            % SendVelFRD(vx, vy, vz, yawrate): forward, right, down of the heading
            [vel, rate] = vector_and_one(varargin);
            obj.fly(1, 8, 'vel', vel, 'yawrate', rate);
        end

        function SendVelNoYaw(obj, vx, vy, vz)
            % Forward, right, down of the heading, which is held.
            obj.fly(1, 8, 'vel', [vx vy vz], '', NaN);
        end

        function SendPosNED(obj, varargin)
            % SendPosNED(x, y, z, yaw): from the take-off point
            [pos, yaw] = vector_and_one(varargin);
            obj.fly(2, 1, 'pos', pos, 'yaw', yaw);
        end

        function SendPosNEDNoYaw(obj, x, y, z)
            obj.fly(2, 1, 'pos', [x y z], '', NaN);
        end

        function SendPosFRD(obj, varargin)
            % SendPosFRD(x, y, z, yaw): an offset forward, right, down
            [pos, yaw] = vector_and_one(varargin);
            obj.fly(3, 8, 'pos', pos, 'yaw', yaw);
        end

        function SendPosFRDNoYaw(obj, x, y, z)
            obj.fly(3, 8, 'pos', [x y z], '', NaN);
        end

        function SendAccPX4(obj, varargin)
            % SendAccPX4(afx, afy, afz, yawValue, yawType, frameType)
            %   yawType    0: the heading is held, 1: yawValue is a heading, 2: a rate
            %   frameType  0: NED, 1: forward, right, down of the heading
            [x, y, z, value, kind, frame] = defaults(varargin, {NaN, NaN, NaN, NaN, 0, 0});
            names = {'', 'yaw', 'yawrate'};
            modes = [6 8 7];
            if frame
                obj.fly(-1, 8, 'acc', [x y z], names{kind + 1}, value);
            else
                obj.fly(modes(kind + 1), 1, 'acc', [x y z], names{kind + 1}, value);
            end
        end

        function SendAttPX4(obj, varargin)
            % SendAttPX4(att, thrust, CtrlFlag)
            %   thrust    normalized, 0 to 1
            %   CtrlFlag  what att is: 0 roll, pitch, yaw [deg], 1 [rad], 2 a quaternion (w, x, y,
            %             z), 3 an angular velocity [rad/s, forward, right, down], 4 [deg/s]
            [att, thrust, flag] = defaults(varargin, {[0 0 0], 0.5, 0});
            [is_rate, values] = attitude_of(att, flag);
            numbers = zeros(1, 16);
            numbers(10) = thrust;
            if is_rate
                numbers([11 4:6]) = [1 values];
                obj.set_long(128, 1, numbers);
            elseif obj.UDPMode == 1
                obj.set_short(4, [values thrust]);
            else
                numbers([11 1:3]) = quaternion_of(values);
                obj.set_long(7, 1, numbers);
            end
        end

        function SendVelYawAlt(obj, varargin)
            % SendVelYawAlt(vel, yaw, alt): speed along a heading, at a height (down coordinate)
            [vel, yaw, alt] = defaults(varargin, {10, 6.28, -100});
            numbers = [NaN NaN alt, vel * [cos(yaw) sin(yaw) 0], 0 0 0, yaw, zeros(1, 6)];
            obj.set_long(mask_of({'pos', 'vel', 'yaw'}), 1, numbers);
        end

        % --- commands

        function SendMavArm(obj, isArm)
            % SendMavArm(1) arms, SendMavArm(0) disarms, also in the air.
            if nargin < 2
                isArm = 1;
            end
            if ~isArm
                obj.set_point = [];
            end
            obj.isArmed = isArm ~= 0;
            obj.sendUDPSimpData(9, [obj.isArmed 0 0 0]);
        end

        function sendMavTakeOff(obj, varargin)
            % sendMavTakeOff(xM, yM, zM, YawRad): above the take-off point zM is negative
            [x, y, z, yaw] = defaults(varargin, {0, 0, 0, 0});
            obj.set_point = [];
            obj.holds = obj.isInOffboard;
            obj.sendUDPSimpData(11, [x y z yaw]);
        end

        function sendMavLand(obj, xM, yM, zM)
            % Fly above a position, descend to the ground, and disarm.
            words = pyrfly_words();
            obj.command(words.command.LAND, words.offboard.POSITION + words.offboard.LOCAL, [xM yM zM]);
        end

        function ReturnHomeSyn(obj, height)
            % Fly above the take-off point at a height (down coordinate; 0: the present one).
            words = pyrfly_words();
            obj.command(words.command.RETURN, 0, [0 0 height]);
        end

        function LandSyn(obj, height)
            % Land; at a height (down coordinate) unless it is within 1 m of 0.
            if nargin < 2
                height = 0;
            end
            words = pyrfly_words();
            obj.command(words.command.LAND, 0, [0 0 height]);
        end

        function SendCruiseSpeed(obj, Speed)
            obj.sendUDPSimpData(10, [Speed 0 0 0]);
        end

        function SendCruiseRadius(obj, rad)
            obj.sendUDPSimpData(10, [0 rad 0 0]);
        end

        function sendUDPSimpData(obj, ctrlMode, ctrls)
            % RflySim's message of 24 bytes: a mode and four numbers.
            obj.send(0, 'inOffboardShortData', struct('ctrlMode', ctrlMode, 'ctrls', ctrls));
        end

        % --- inputs, faults and parameters of the model

        function sendSILIntFloat(obj, inSILInts, inSILFLoats)
            % inSILInts (8) and inSILFloats (20): commands, set-points or a fault (PYRFLY_WORDS).
            obj.holds = false;
            obj.send_inputs(inSILInts, inSILFLoats);
        end

        function sendInCtrlExt(obj, inSILInts, inSILFLoats, iDxNum)
            % Further inputs of a model, number iDxNum of 1 to 5.
            obj.send(10000, sprintf('inCtrlExt%d', iDxNum), struct('CopterID', obj.CopterID, ...
                'inSILInts', filled(inSILInts, 8), 'inSILFLoats', filled(inSILFLoats, 20)));
        end

        function sendModelInParams(obj, Bitmask, InParams)
            % FaultInParams of the model; bit i - 1 of Bitmask: InParams(i) counts.
            obj.send(10000, 'PX4ModelInParams', ...
                struct('Bitmask', Bitmask, 'InParams', filled(InParams, 32)));
        end

        function sendInitInParams(obj, Bitmask, InParams)
            % Parameters that take effect when the model starts anew.
            obj.send(10000, 'InitInParams', ...
                struct('Bitmask', Bitmask, 'InParams', filled(InParams, 32)));
        end

        function sendDynModiParams(obj, Bitmask, InParams)
            % Parameters that take effect at once, 64 of them.
            obj.send(10000, 'PX4DynModiParams', struct('CopterID', obj.CopterID, ...
                'Bitmask', Bitmask, 'InParams', filled(InParams, 64)));
        end

        function sendUE2Coptersim(obj, inFromUE)
            obj.send(10000, 'UEToCopterDataD', ...
                struct('CopterID', obj.CopterID, 'inFromUE', filled(inFromUE, 32)));
        end

        function sendRebootPix(obj)
            % Start the vehicle anew.
            obj.send(0, 'reboot', struct());
        end

        function delete(obj)
            obj.close_links();
        end
    end

    methods (Access = private)
        function number = port(obj)
            number = obj.first_port + 2 * (obj.CopterID - 1);
        end

        function close_links(obj)
            obj.EndTrueDataLoop();
            if ~isempty(obj.state_link)
                obj.state_link.close();
                obj.state_link = [];
            end
        end

        function send(obj, offset, name, values)
            obj.send_bytes(offset, pyrfly_pack(name, values));
        end

        function send_bytes(obj, offset, bytes)
            % Send a packet to the port of commands plus an offset.
            if isempty(obj.state_link)
                error('pyrfly:closed', 'CopterID %d: call InitMavLoop first', obj.CopterID);
            end
            obj.state_link.send(bytes, obj.ip, obj.port() + offset);
        end

        function fly(obj, mode, frame, field, vector, with, value)
            % Set a vector ('pos', 'vel', 'acc') in a frame of MAVLink, with a heading or its rate.
            if obj.UDPMode == 1 && mode >= 0
                if mode == 6
                    value = 0;
                elseif isempty(with)
                    value = NaN;
                end
                obj.set_short(mode, [vector value]);
                return
            end
            first = struct('pos', 1, 'vel', 4, 'acc', 7);
            numbers = zeros(1, 16);
            numbers(first.(field) + (0:2)) = vector;
            if strcmp(with, 'yaw')
                numbers(10) = value;
            elseif strcmp(with, 'yawrate')
                numbers(11) = value;
            end
            obj.set_long(mask_of({field, with}), frame, numbers);
        end

        function set_short(obj, mode, numbers)
            obj.set_target('inOffboardShortData', struct('ctrlMode', mode, 'ctrls', numbers));
        end

        function set_long(obj, mask, frame, numbers)
            obj.set_target('inHILCMDData', struct('copterID', obj.CopterID, ...
                'modes', mask, 'flags', frame, 'ctrls', numbers));
        end

        function set_target(obj, name, values)
            % Keep a set-point, which UPDATE repeats.
            obj.set_point = pyrfly_pack(name, values);
            if obj.isInOffboard
                obj.repeat();
            end
        end

        function repeat(obj)
            obj.repeated = tic;
            if ~isempty(obj.set_point)
                obj.send_bytes(0, obj.set_point);
            elseif obj.holds
                obj.send_none();
            end
        end

        function send_none(obj)
            % Send a set-point of which nothing counts.
            obj.send(0, 'inHILCMDData', ...
                struct('copterID', obj.CopterID, 'modes', mask_of({}), 'flags', 1));
        end

        function hold(obj)
            % Send that no set-point counts, on both ports: there is no order between them.
            obj.send_none();
            obj.send_inputs(0, 0);
        end

        function send_inputs(obj, ints, floats)
            obj.send(10000, 'PX4SILIntFloat', struct('CopterID', obj.CopterID, ...
                'inSILInts', filled(ints, 8), 'inSILFLoats', filled(floats, 20)));
        end

        function command(obj, task, fields, pos)
            % Send a command of the synthesis model, with what inSILFloats holds and a position.
            words = pyrfly_words();
            word = words.command.ENABLE + words.command.SIL + words.command.ARMED + task;
            obj.set_point = [];
            obj.holds = false;
            obj.send_inputs([word, fields], pos);
        end
    end
end
